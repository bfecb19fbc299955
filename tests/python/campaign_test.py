"""Campaigns: read and built in code, flown, functions for measures, interrupted and resumed, replayed; their answers."""
import gc
import json
import math
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import unittest

import numpy as np

import gyrostat
from support import CTRL_C, SPINNER, InFolder, asked, command_line

CAMPAIGN = """gyrostat_campaign: 1
name: Dispersed
model: spinner.yaml
vary:
  gain: {uniform: {low: 0.2, high: 0.8}}
  level: {normal: {mean: 0.2, std: 0.02}}
samples: {count: 40, method: sobol, seed: 7}
measure:
  peak: {max: bus.omega_x}
  end: {final: bus.omega_y}
require:
  peak: {below: 0.22 rad/s, in: 50 %, confidence: 90 %}
"""
# Flights of which some fail: the root of a negative number.
FAILS = SPINNER.replace('command: "level*cos(t)"', 'command: "sqrt(7 - 10*level - gain*t)"')


def described(measures=None, **more):
    """The same as a dict."""
    whole = {
        "model": gyrostat.Model.from_text(SPINNER, file="spinner.yaml"),
        "vary": {"gain": {"uniform": {"low": 0.2, "high": 0.8}}, "level": {"normal": {"mean": 0.2, "std": np.float64(0.02)}}},
        "samples": {"count": 40, "method": "sobol", "seed": 7},
        "measure": {"peak": {"max": "bus.omega_x"}, "end": {"final": "bus.omega_y"}, **(measures or {})},
        "require": {"peak": {"below": "0.22 rad/s", "in": "50 %", "confidence": "90 %"}},
    }
    return {**whole, **more}


def same(a, b):
    """Do two results have the same bits in all of their columns?"""
    return a.units == b.units and all(np.array_equal(a._column(name), b._column(name), equal_nan=True) for name in a.units)


class Campaigns(InFolder):
    def setUp(self):
        super().setUp()
        self.write("spinner.yaml", SPINNER)
        self.write("campaign.yaml", CAMPAIGN)

    def test_know_what_is_in_them(self):
        campaign = gyrostat.Campaign.load("campaign.yaml")
        self.assertEqual((campaign.name, campaign.file, len(campaign)), ("Dispersed", "campaign.yaml", 40))
        self.assertEqual([i.name for i in campaign.inputs], ["gain", "level"])
        self.assertEqual([(m.name, m.unit, m.computed) for m in campaign.measures], [("peak", "rad/s", False), ("end", "rad/s", False)])
        self.assertEqual(campaign.model.parameters, {"gain": 0.5, "level": 0.2})
        self.assertTrue(campaign.check())
        self.assertEqual(campaign.not_packed, "")
        samples = campaign.samples()
        self.assertEqual(sorted(samples), ["gain", "level"])
        self.assertTrue(((samples["gain"] > 0.2) & (samples["gain"] < 0.8)).all())
        np.testing.assert_array_equal(campaign.samples(7, 3)["level"], samples["level"][7:10])

    def test_have_the_numbers_of_the_command_line(self):
        results = gyrostat.Campaign.load("campaign.yaml").run("python.h5", threads=2)
        _, printed, code = command_line("campaign", "campaign.yaml", "-o", "other.h5", "--quiet", folder=self.folder)
        self.assertEqual(code, 0, printed)
        other = gyrostat.open_campaign("other.h5")
        self.assertTrue(same(results, other))
        self.assertTrue(results.finished)
        np.testing.assert_array_equal(results.flights, np.arange(40))
        self.assertEqual(list(results.inputs), ["gain", "level"])
        self.assertEqual(list(results.measures), ["peak", "end"])
        self.assertEqual(results.units["measures/peak"], "rad/s")
        self.assertFalse(results.failed.any())
        self.assertTrue((results.end_time == 10).all() and (results.steps > 10).all())
        np.testing.assert_array_equal(results.inputs["gain"], gyrostat.Campaign.load("campaign.yaml").samples()["gain"])

    def test_answer_what_the_command_line_answers(self):
        results = gyrostat.Campaign.load("campaign.yaml").run("python.h5")
        told = asked("show", "python.h5", folder=self.folder)
        self.assertEqual((results.count, len(results)), (told["flights"], told["ended"]))
        for name, measure in told["measures"].items():
            statistics = results.statistics[name]
            for field in ("unit", "mean", "std", "min", "max", "min_flight", "max_flight"):
                self.assertEqual(getattr(statistics, field), measure[field], (name, field))
            self.assertEqual(results.worst(name), measure["worst"])
            self.assertEqual(len(statistics.percentiles), len(measure["percentiles"]))
            for one, other in zip(statistics.percentiles, measure["percentiles"]):
                shown = {k: float("inf") if v == "inf" else -float("inf") if v == "-inf" else v for k, v in other.items()}
                self.assertEqual(one._asdict(), shown)
            for name_of_input, other in measure["rank_correlations"].items():
                self.assertEqual(statistics.sensitivity[name_of_input].correlation, other["value"])
                self.assertEqual(statistics.sensitivity[name_of_input].chance, other["chance"])
                self.assertTrue(math.isnan(statistics.sensitivity[name_of_input].first))
        (requirement,) = results.requirements
        other = told["requirements"][0]
        self.assertEqual((requirement.verdict, requirement.fulfilled, requirement.low, requirement.below),
                         (other["verdict"], other["fulfilled"], other["low"], other["below"]))
        self.assertEqual(requirement.fulfilled, int((results.measures["peak"] < 0.22).sum()))
        self.assertEqual(results.statistics["peak"].percentile(0.5).value, np.median(results.measures["peak"]))
        self.assertEqual(results.worst("peak")[0], int(np.argmax(results.measures["peak"])))
        with self.assertRaisesRegex(KeyError, "no percentile 0.4; there are 0.01, 0.05, 0.5"):
            results.statistics["peak"].percentile(0.4)

    def test_with_factors_are_answered_by_combination(self):
        campaign = described(vary={"gain": {"values": [0.5, 1]}, "level": {"uniform": {"low": 0.1, "high": 0.3}}}, samples={"count": 12})
        results = gyrostat.Campaign.from_dict(campaign).run("f.h5")
        told = asked("show", "f.h5", folder=self.folder)
        self.assertEqual([c.values for c in results.combinations], [{"gain": 0.5}, {"gain": 1}])
        for k, combination in enumerate(results.combinations):
            peaks = results.measures["peak"][results.inputs["gain"] == combination.values["gain"]]
            self.assertEqual((combination.flights, combination.ended, combination.failed, len(peaks)), (12, 12, 0, 12))
            self.assertEqual(combination.statistics["peak"].percentile(0.5).value, np.median(peaks))
            self.assertEqual(combination.statistics["peak"].mean, told["measures"]["peak"]["combinations"][k]["mean"])
            self.assertEqual(list(combination.statistics["peak"].sensitivity), ["level"])
            for requirement in combination.requirements:
                self.assertEqual((requirement.fulfilled, requirement.flights, requirement.missing), (int((peaks < 0.22).sum()), 12, 0))
        self.assertEqual(results.sensitivity["peak"]["gain"].correlation, told["measures"]["peak"]["factors"]["gain"]["value"])
        self.assertEqual(results.not_packed, "")
        worst = min(results.combinations, key=lambda c: c.requirements[0].found)
        self.assertEqual(results.requirements[0].values, worst.values)
        with self.assertRaisesRegex(ValueError, r"the campaign has factors \(gain\).*combinations\[k\].statistics"):
            results.statistics

    def test_have_sobol_indices_where_the_design_allows(self):
        campaign = described(samples={"count": 16, "method": "sobol", "sensitivity": True})
        results = gyrostat.Campaign.from_dict(campaign).run()
        self.assertEqual(len(results), 64)
        self.assertGreater(results.sensitivity["end"]["gain"].total, results.sensitivity["end"]["level"].total)

    def test_built_in_code_are_the_same(self):
        results = gyrostat.Campaign.load("campaign.yaml").run("file.h5")
        built = gyrostat.Campaign.from_dict(described()).run()
        self.assertTrue(same(results, built))
        named = gyrostat.Campaign.from_dict(described(model="spinner.yaml")).run()
        self.assertTrue(same(results, named))

    def test_have_the_same_bits_for_any_number_of_threads(self):
        campaign = gyrostat.Campaign.load("campaign.yaml")
        one = campaign.run(threads=1)
        for threads in (2, 3):
            self.assertTrue(same(one, campaign.run(threads=threads)))

    def test_replay_flights(self):
        results = gyrostat.Campaign.load("campaign.yaml").run("c.h5")
        (self.folder / "spinner.yaml").unlink()  # the file has the model
        again = results.replay(13)
        self.assertEqual(again["bus.omega_y"][-1], results.measures["end"][13])
        self.assertEqual(again.status, "finished")
        self.assertEqual(again.model.parameters["gain"], results.inputs["gain"][13])
        self.assertLess(again.ledger["energy"].relative, 1e-6)
        command_line("campaign", "c.h5", "--replay", "13", "-o", "other.h5", folder=self.folder)
        np.testing.assert_array_equal(gyrostat.open("other.h5")["bus.omega_x"], again["bus.omega_x"])
        kept = results.replay(np.int64(2), "kept.h5")
        self.assertEqual(kept.path, pathlib.Path("kept.h5"))
        for wrong, kind in ((40, IndexError), (-1, IndexError), (1.5, TypeError), ("1", TypeError), (True, TypeError)):
            with self.assertRaises(kind):
                results.replay(wrong)

    def test_that_fail_are_results(self):
        model = gyrostat.Model.from_text(FAILS, file="fails.yaml")
        results = gyrostat.Campaign.from_dict(described(model=model)).run()
        failed = results.failed
        self.assertTrue(0 < failed.sum() < 40, failed)
        self.assertTrue(np.isnan(results.measures["peak"][failed]).all())
        self.assertTrue(np.isfinite(results.measures["peak"][~failed]).all())
        self.assertEqual([f.flight for f in results.failures], results.flights[failed].tolist())
        first = results.failures[0]
        self.assertIn("'command' is not finite", first.reason)
        self.assertEqual(first.time, results.end_time[first.flight])
        self.assertEqual(results.statistics["peak"].failed, failed.sum())
        with self.assertRaises(gyrostat.SimulationError) as caught:
            results.replay(first.flight)
        self.assertIn(f"flight {first.flight}: stopped at t = ", str(caught.exception))
        self.assertGreater(len(caught.exception.results), 1)


class Progress(InFolder):
    def setUp(self):
        super().setUp()
        # long enough to be interrupted: a tenth of a second passes between looks
        slow = SPINNER.replace("duration: 10", "duration: 1000").replace("interval: 0.5", "interval: 500")
        self.campaign = gyrostat.Campaign.from_dict(described(model=gyrostat.Model.from_text(slow)))

    def test_is_told(self):
        told = []
        results = self.campaign.run(threads=2, progress=told.append)
        self.assertGreater(len(told), 0)
        self.assertEqual({p.flights for p in told}, {40})
        self.assertEqual([p.ended for p in told], sorted(p.ended for p in told))
        self.assertEqual(told[-1].failed, 0)
        self.assertGreater(told[-1].seconds, 0)
        self.assertEqual(len(results), 40)

    def test_that_returns_false_ends_a_campaign_that_is_resumed(self):
        whole = self.campaign.run("whole.h5")
        part = self.campaign.run("part.h5", threads=1, progress=lambda now: False)
        self.assertFalse(part.finished)
        self.assertLess(len(part), 40)
        self.assertEqual(part.status, "interrupted")
        again = self.campaign.run("part.h5", resume=True)
        self.assertTrue(again.finished)
        self.assertTrue(same(whole, again))
        with self.assertRaisesRegex(gyrostat.CampaignError, "is finished; there is nothing to resume"):
            self.campaign.run("part.h5", resume=True)

    def test_that_raises_ends_a_campaign(self):
        def wrong(now):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            self.campaign.run("raised.h5", progress=wrong)
        self.assertEqual(gyrostat.open_campaign("raised.h5").status, "interrupted")
        self.assertTrue(same(self.campaign.run("raised.h5", resume=True), self.campaign.run()))

    def test_is_ended_by_ctrl_c(self):
        self.write("model.yaml", self.campaign.model.text.replace("duration: 1000", "duration: 200000"))
        self.write("campaign.yaml", CAMPAIGN.replace("spinner", "model"))
        script = ("import gyrostat\n" + CTRL_C +
                  "campaign = gyrostat.Campaign.load('campaign.yaml')\n"
                  "ctrl_c_when('long.h5')\n"
                  "try:\n    campaign.run('long.h5')\n"
                  "except KeyboardInterrupt:\n    print('ended', gyrostat.open_campaign('long.h5').status)\n")
        begin = time.monotonic()
        result = subprocess.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.stdout, "ended interrupted\n", result.stderr)
        self.assertLess(time.monotonic() - begin, 30)

    def test_goes_on_beside_other_threads(self):
        found = {}
        threads = [threading.Thread(target=lambda k=k: found.update({k: self.campaign.run(threads=1)})) for k in (0, 1)]
        counted = 0
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            counted += 1
            time.sleep(0.001)
        self.assertGreater(counted, 10)
        self.assertTrue(same(found[0], found[1]))


class Functions(InFolder):
    def test_are_measures(self):
        def spread(flight):
            """Spread of the rate about x"""
            return flight["bus.omega_x"].max() - flight["bus.omega_x"].min()

        campaign = gyrostat.Campaign.from_dict(described({"spread": {"computed": spread, "unit": "rad/s"}, "records": len}))
        self.assertEqual(campaign.measures[2], ("spread", "rad/s", "Spread of the rate about x", True))
        results = campaign.run("c.h5")
        self.assertEqual(results.units["measures/spread"], "rad/s")
        self.assertTrue((results.measures["records"] == 21).all())
        self.assertEqual(results.measures["spread"][5], spread(results.replay(5)))  # the same bits as of the replay
        plain = gyrostat.Campaign.from_dict(described()).run()
        np.testing.assert_array_equal(results.measures["peak"], plain.measures["peak"])
        self.assertEqual(results.statistics["spread"].mean, results.statistics["spread"].mean)
        stdout, stderr, code = command_line("show", "c.h5", folder=self.folder)
        self.assertEqual(code, 0, stderr)
        self.assertIn("spread [rad/s]", stdout)

    def test_see_the_flight(self):
        seen = []

        def look(flight):
            seen.append((flight.number, flight.inputs["gain"], flight.measures["end"], flight["bus.omega_y"][-1], len(flight)))
            self.assertEqual(list(flight.time[:3]), [0, 0.5, 1])
            self.assertIn("command", flight)
            self.assertNotIn("ledger/energy", flight)
            return flight.number

        results = gyrostat.Campaign.from_dict(described({"mine": look})).run(threads=2)
        np.testing.assert_array_equal([s[0] for s in seen], np.arange(40))  # in their order
        np.testing.assert_array_equal([s[1] for s in seen], results.inputs["gain"])
        np.testing.assert_array_equal([s[2] for s in seen], results.measures["end"])
        np.testing.assert_array_equal([s[2] for s in seen], [s[3] for s in seen])

    def test_are_called_in_this_thread_in_the_order_of_flights(self):
        numbers = {}
        for threads in (1, 3):
            state = [0.0]

            def remembers(flight):
                self.assertIs(threading.current_thread(), threading.main_thread())
                state[0] = 0.5 * state[0] + flight["bus.omega_x"][-1]
                return state[0]

            numbers[threads] = gyrostat.Campaign.from_dict(described({"mine": remembers})).run(threads=threads).measures["mine"]
        np.testing.assert_array_equal(numbers[1], numbers[3])

    def test_of_a_file_are_given_by_name(self):
        self.write("spinner.yaml", SPINNER)
        self.write("campaign.yaml", CAMPAIGN.replace("require:", "  mine: {computed: the last rate, unit: rad/s}\nrequire:"))
        campaign = gyrostat.Campaign.load("campaign.yaml", measures={"mine": lambda flight: flight["bus.omega_y"][-1]})
        results = campaign.run("c.h5", threads=2)
        np.testing.assert_array_equal(results.measures["mine"], results.measures["end"])
        for arguments in (["campaign.yaml"], ["c.h5", "--resume"]):
            _, printed, code = command_line("campaign", *arguments, "-o", "other.h5", folder=self.folder)
            self.assertNotEqual(code, 0)
            self.assertIn("measure.mine is computed by a program of yours (the last rate)", printed)
        with self.assertRaisesRegex(gyrostat.CampaignError, "measure 'mine' is computed; give its function"):
            gyrostat.Campaign.load("campaign.yaml").run()
        with self.assertRaisesRegex(gyrostat.CampaignError, "no computed measure 'mein'; did you mean 'mine'"):
            gyrostat.Campaign.load("campaign.yaml", measures={"mein": len})
        self.assertEqual(results.replay(3)["bus.omega_y"][-1], results.measures["mine"][3])

    def test_that_raise_end_a_campaign_that_is_resumed(self):
        calls = []

        def fails(flight):
            calls.append(flight.number)
            if flight.number == 17 and len(calls) == 18:
                return flight["bus.omga_x"]
            return 1.0

        campaign = gyrostat.Campaign.from_dict(described({"mine": fails}))
        with self.assertRaises(gyrostat.CampaignError) as caught:
            campaign.run("c.h5", threads=2)
        self.assertIn("measure 'mine' of flight 17: KeyError", str(caught.exception))
        self.assertIn("did you mean 'bus.omega_x'", str(caught.exception))
        self.assertIsInstance(caught.exception.__cause__, KeyError)
        self.assertEqual(len(gyrostat.open_campaign("c.h5")), 17)
        results = campaign.run("c.h5", resume=True)
        self.assertEqual(calls[18:], list(range(17, 40)))
        self.assertTrue(results.finished)
        for wrong in ("text", [1, 2], None, np.zeros(3)):
            with self.assertRaisesRegex(gyrostat.CampaignError, "flight 0: its function must return a number, and not"):
                gyrostat.Campaign.from_dict(described({"mine": lambda flight: wrong})).run()
        with self.assertRaises(SystemExit):
            gyrostat.Campaign.from_dict(described({"mine": lambda flight: sys.exit(3)})).run()

    def test_have_their_price(self):
        model = gyrostat.Model.from_text(SPINNER)
        samples = {"count": 500, "method": "sobol"}
        seconds = {}
        for name, measures in (("expression", {}), ("function", {"mine": lambda flight: flight["bus.omega_x"].max()})):
            campaign = gyrostat.Campaign.from_dict(described(measures, samples=samples, model=model))
            begin = time.process_time()
            campaign.run()
            seconds[name] = (time.process_time() - begin) / 500
        print(f"processor time of a flight: {1e3 * seconds['expression']:.3f} ms, with a function for a measure {1e3 * seconds['function']:.3f} ms")
        self.assertLess(seconds["function"], 3 * seconds["expression"])


class Files(InFolder):
    def test_are_kept_as_long_as_they_are_used(self):
        results = gyrostat.Campaign.from_dict(described()).run()
        path = results.path
        self.assertTrue(path.exists())
        peak = results.measures["peak"]
        results.close()
        self.assertFalse(path.parent.exists())
        self.assertEqual(len(peak), 40)
        again = gyrostat.Campaign.from_dict(described()).run()
        path = again.path
        del again
        gc.collect()
        self.assertFalse(path.parent.exists())

    def test_of_runs_and_campaigns_are_told_apart(self):
        gyrostat.Campaign.from_dict(described()).run("c.h5")
        gyrostat.Model.from_text(SPINNER).simulate(output="r.h5")
        with self.assertRaisesRegex(gyrostat.ResultsError, "c.h5: has the results of a campaign; open it by gyrostat.open_campaign"):
            gyrostat.open("c.h5")
        with self.assertRaisesRegex(gyrostat.ResultsError, "r.h5: has the results of a run, not of a campaign; open it by gyrostat.open"):
            gyrostat.open_campaign("r.h5")
        with self.assertRaisesRegex(gyrostat.CampaignError, "r.h5: is not the file of a campaign"):
            gyrostat.Campaign.of_results("r.h5")
        with self.assertRaisesRegex(gyrostat.ResultsError, "none.h5"):
            gyrostat.open_campaign("none.h5")

    def test_are_not_replaced_if_they_are_others(self):
        self.write("mine.txt", "mine")
        with self.assertRaisesRegex(gyrostat.GyrostatError, "mine.txt"):
            gyrostat.Campaign.from_dict(described()).run("mine.txt")
        self.assertEqual((self.folder / "mine.txt").read_text(), "mine")

    def test_become_tables_and_pictures(self):
        results = gyrostat.Campaign.from_dict(described()).run()

        class Axes:
            """Notes what is drawn."""

            def __init__(self):
                self.drawn = {}

            def __getattr__(self, name):
                return lambda *given, **more: self.drawn.update({name: given})

        axes = Axes()
        self.assertIs(results.plot("peak", ax=axes), axes)
        np.testing.assert_array_equal(axes.drawn["hist"][0], results.measures["peak"])
        self.assertEqual(axes.drawn["set_xlabel"], ("peak [rad/s]",))
        results.plot("peak", against="gain", ax=axes)
        np.testing.assert_array_equal(axes.drawn["scatter"][0], results.inputs["gain"])
        with self.assertRaisesRegex(KeyError, "no measure 'peek'; did you mean 'peak'"):
            results.plot("peek", ax=axes)
        with self.assertRaisesRegex(KeyError, "no input 'gian'; did you mean 'gain'"):
            results.plot("peak", against="gian", ax=axes)
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is not installed: tables are not tested")
        table = results.to_pandas()
        self.assertIsInstance(table, pandas.DataFrame)
        self.assertEqual(list(table.columns), ["inputs/gain", "inputs/level", "measures/peak", "measures/end", "failed", "end_time", "steps"])
        np.testing.assert_array_equal(table["measures/peak"].to_numpy(), results.measures["peak"])


    def test_have_a_report_and_a_view(self):
        results = gyrostat.Campaign.from_dict(described()).run()
        try:
            page = results.report("c.html")
        except gyrostat.ReportError as error:
            self.skipTest(str(error))
        self.assertGreater(page.stat().st_size, 100_000)
        self.assertTrue(results.view()._repr_html_().startswith("<iframe srcdoc="))


class Errors(InFolder):
    def test_have_the_text_and_places_of_the_command_line(self):
        self.write("spinner.yaml", SPINNER)
        self.write("campaign.yaml", CAMPAIGN.replace("  gain:", "  gian:").replace("sobol", "sobl").replace("bus.omega_y", "bus.omga_y"))
        with self.assertRaises(gyrostat.CampaignError) as caught:
            gyrostat.Campaign.load("campaign.yaml")
        _, printed, code = command_line("campaign", "campaign.yaml", folder=self.folder)
        self.assertEqual(code, 1)
        self.assertEqual(str(caught.exception) + "\n", printed)
        problem = caught.exception.problems[0]
        self.assertEqual((problem.file, problem.line, problem.path), ("campaign.yaml", 7, "samples.method"))
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(again.problems, caught.exception.problems)

    def test_of_the_model_are_model_errors(self):
        self.write("spinner.yaml", SPINNER.replace("mass: 10", "mass: 10 m"))
        self.write("campaign.yaml", CAMPAIGN)
        with self.assertRaisesRegex(gyrostat.ModelError, "spinner.yaml:5"):
            gyrostat.Campaign.load("campaign.yaml")
        (self.folder / "spinner.yaml").unlink()
        with self.assertRaisesRegex(gyrostat.CampaignError, "campaign.yaml:[0-9]+:[0-9]+: error: model: spinner.yaml: cannot be read"):
            gyrostat.Campaign.load("campaign.yaml")
        with self.assertRaisesRegex(gyrostat.CampaignError, "none.yaml"):
            gyrostat.Campaign.load("none.yaml")

    def test_of_a_dict_have_paths(self):
        for wrong, text in (
            ({"vary": {"gian": {"values": [1]}}}, "vary.gian: the model has no parameter 'gian'; did you mean 'gain'"),
            ({"measure": {}}, "at least one measure is needed"),
            ({"measure": {"m": {"max": "bus.omga_x"}}, "require": {}}, "measure.m.max: the body 'bus' has no 'omga_x'; did you mean 'omega_x'?"),
            ({"samples": {"count": 0}}, "samples.count: at least 1 sample"),
            ({"require": {"peek": {"below": 1}}}, "no measure 'peek'; did you mean 'peak'"),
            ({"mesure": {}}, "did you mean 'measure'"),
            ({"measure": {"m": {"computed": len, "unit": "deg"}}, "require": {}}, "measure.m.unit: numbers are in SI units: rad"),
            ({"gyrostat_campaign": 2}, "format version 1, not '2'"),
        ):
            with self.assertRaises(gyrostat.CampaignError) as caught:
                gyrostat.Campaign.from_dict(described(**wrong))
            self.assertIn(text, str(caught.exception))
            self.assertGreater(caught.exception.problems[0].line, 0)
        with self.assertRaisesRegex(TypeError, "no place for a set"):
            gyrostat.Campaign.from_dict(described(vary={1, 2}))
        with self.assertRaisesRegex(gyrostat.CampaignError, r"another value of 'gain'.*vary: \{gain: \{values: \[3.0\]\}\}"):
            gyrostat.Campaign.from_dict(described(model=gyrostat.Model.from_text(SPINNER, parameters={"gain": 3})))

    def test_of_arguments(self):
        campaign = gyrostat.Campaign.from_dict(described())
        for arguments, kind, text in (
            ({"threads": 0}, ValueError, "threads=0: a whole number from 1 on"),
            ({"threads": 1.5}, ValueError, "threads=1.5"),
            ({"threads": -3}, ValueError, "threads=-3"),
            ({"progress": 3}, TypeError, "progress: a function is needed, and not a int"),
            ({"resume": True}, ValueError, "say which file"),
            ({"output": 3}, TypeError, "str, bytes or os.PathLike"),
            ({"output": "x.h5", "force": "yes"}, TypeError, "force: expected True or False, got 'yes'"),
            ({"output": "/none/x.h5"}, gyrostat.GyrostatError, "/none/x.h5"),
        ):
            with self.assertRaisesRegex(kind, text):
                campaign.run(**arguments)
        for first, count in ((0, 41), (1, 40), (41, 0), (2**63, 2**63)):
            with self.assertRaisesRegex(IndexError, f"there are no {count} flights from flight {first} on; the campaign has 40"):
                campaign.samples(first, count)
        self.assertEqual(len(campaign.samples(40, 0)["gain"]), 0)
        with self.assertRaisesRegex(TypeError, "a gyrostat.Model is needed, and not a str"):
            gyrostat.Campaign.from_text(CAMPAIGN, model="spinner.yaml")
        with self.assertRaisesRegex(TypeError, "measure 'm': a function is needed"):
            gyrostat.Campaign.from_text(json.dumps({"gyrostat_campaign": 1, "model": "m", "samples": {"count": 1}, "measure": {"m": {"computed": "x"}}}),
                                        model=gyrostat.Model.from_text(SPINNER), measures={"m": 3})
        with self.assertRaisesRegex(TypeError, "cannot be pickled"):
            pickle.dumps(campaign)


if __name__ == "__main__":
    unittest.main()
