"""Runs: whole and step by step, results files, threads."""
import gc
import os
import subprocess
import sys
import threading
import time
import unittest
from unittest import mock

import numpy as np

import gyrostat
from support import CTRL_C, FIVE_BODY, SOURCE, SPINNER, InFolder, asked, command_line

FAILS = SPINNER.replace('command: "level*cos(t)"', 'command: "1/(2 - t)^2"')


class WholeRuns(InFolder):
    def test_have_the_numbers_of_the_command_line(self):
        self.write("spinner.yaml", SPINNER)
        results = gyrostat.Model.load("spinner.yaml").simulate()
        command_line("run", "spinner.yaml", "-o", "other.h5", folder=self.folder)
        other = gyrostat.open("other.h5")
        self.assertEqual(results.names, other.names)
        for name in results:
            np.testing.assert_array_equal(results[name], other[name])
        np.testing.assert_array_equal(results.time, np.arange(0, 10.25, 0.5))
        self.assertEqual(results.units["bus.omega_x"], "rad/s")
        self.assertEqual(results.status, "finished")

    def test_have_events_and_a_ledger(self):
        results = gyrostat.Model.load(FIVE_BODY).simulate(until=8)
        self.assertGreater(len(results.events), 10)
        event = results.events[0]
        self.assertTrue(event.name.startswith("jet"), event)
        self.assertLess(event.time, 8)
        self.assertLess(results.ledger["energy"].relative, 1e-6)
        self.assertEqual(results.ledger["energy"].unit, "J")
        self.assertEqual(results.ledger.warnings, [])
        self.assertLess(results.ledger.accelerations, 1e-9)

    def test_obey_their_settings(self):
        model = gyrostat.Model.from_text(SPINNER)
        reference = model.simulate(until=2, interval=0.1)
        for settings in ({"method": "rk4", "step": 0.001}, {"method": "cvode_bdf", "tolerance": 1e-10},
                         {"tolerance": 1e-8}, {"formulation": "kane"}):
            results = model.simulate(until=2, interval=0.1, **settings)
            np.testing.assert_allclose(results["bus.omega_x"], reference["bus.omega_x"], atol=1e-6)
            self.assertEqual(results.header["integrator"].split()[0].rstrip(","), settings.get("method", "dopri5"))
        moved = model.simulate(until=2, initial={"base.omega_x": 0.4})
        self.assertEqual(moved["bus.omega_x"][0], 0.4)

    def test_refuse_settings_that_are_wrong(self):
        model = gyrostat.Model.from_text(SPINNER, file="spinner.yaml")
        self.write("spinner.yaml", SPINNER)
        with self.assertRaises(gyrostat.SettingsError) as caught:
            model.simulate(method="euler")
        _, printed, _ = command_line("run", "spinner.yaml", "--integrator", "rk4", folder=self.folder)
        self.assertRegex(str(caught.exception), "spinner.yaml: there is no integrator 'euler'; there are cvode_adams, ")
        with self.assertRaises(gyrostat.SettingsError) as caught:
            model.simulate(method="rk4")
        self.assertEqual(str(caught.exception) + "\n", printed)
        for settings, text in (({"until": -1}, "after 0"), ({"step": 0.1}, "step is for rk4"), ({"interval": -1.0}, "interval"),
                               ({"method": "rk4", "tolerance": 1e-6}, "tolerance is not for rk4"), ({"tolerance": 2.0}, "tolerance")):
            with self.assertRaisesRegex(gyrostat.SettingsError, text):
                model.simulate(**settings)

    def test_that_fail_say_when_and_why_and_keep_what_they_recorded(self):
        self.write("fails.yaml", FAILS)
        model = gyrostat.Model.load("fails.yaml")
        with self.assertRaises(gyrostat.SimulationError) as caught:
            model.simulate()
        error = caught.exception
        _, printed, code = command_line("run", "fails.yaml", "-o", "f.h5", folder=self.folder)
        self.assertEqual(code, 3)
        self.assertTrue(printed.startswith(str(error)), printed)
        self.assertAlmostEqual(error.time, 2, places=3)
        self.assertIn(error.reason, printed)
        self.assertEqual(len(error.results), 4)

    def test_leave_no_files_behind(self):
        model = gyrostat.Model.from_text(SPINNER)
        results = model.simulate(until=1)
        path = results.path
        self.assertTrue(path.exists())
        del results
        gc.collect()
        self.assertFalse(path.parent.exists())

    def test_are_ended_by_ctrl_c(self):
        self.write("spinner.yaml", SPINNER)
        script = ("import gyrostat\n" + CTRL_C +
                  "m = gyrostat.Model.load('spinner.yaml')\n"
                  "ctrl_c_when('long.h5')\n"
                  "try:\n    m.simulate(until=1e7, interval=1e4, output='long.h5')\n"
                  "except KeyboardInterrupt:\n    print('interrupted', gyrostat.open('long.h5').status)\n")
        begin = time.monotonic()
        result = subprocess.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertIn("interrupted interrupted at t = ", result.stdout + result.stderr)
        self.assertLess(time.monotonic() - begin, 30)
        again = gyrostat.open("long.h5").time
        self.assertGreaterEqual(len(again), 1)

    def test_are_resumed(self):
        model = gyrostat.Model.from_text(SPINNER, file="spinner.yaml")
        whole = model.simulate(until=4)
        model.simulate(until=2, output="part.h5")
        results = gyrostat.resume("part.h5", until=4)
        self.assertEqual(results.status, "finished")
        np.testing.assert_allclose(results["bus.omega_x"], whole["bus.omega_x"], atol=1e-9)


class ResultsFiles(InFolder):
    def setUp(self):
        super().setUp()
        self.model = gyrostat.Model.from_text(SPINNER, file="spinner.yaml")
        self.results = self.model.simulate(output="x.h5")

    def test_are_read_when_asked(self):
        results = gyrostat.open("x.h5")
        self.assertEqual(results._read, {})
        first = results["bus.omega_x"]
        self.assertEqual(list(results._read), ["bus.omega_x"])
        self.assertIs(results["bus.omega_x"], first)
        with self.assertRaises(ValueError):
            first[0] = 1
        with self.assertRaisesRegex(KeyError, "did you mean 'bus.omega_x'"):
            results["bus.omga_x"]
        self.assertEqual(len(results), 21)
        self.assertIn("command", results)
        self.assertAlmostEqual(float(results.at("command", 0.25)), (results["command"][0] + results["command"][1]) / 2)

    def test_have_the_model(self):
        results = self.model.with_parameters(gain=0.25).simulate(until=1)
        self.assertEqual(results.model.parameters["gain"], 0.25)
        self.assertEqual(results.model.text, SPINNER)

    def test_that_are_wrong_are_errors(self):
        with self.assertRaisesRegex(gyrostat.ResultsError, "none.h5"):
            gyrostat.open("none.h5")
        self.write("text.h5", "not a file of that kind")
        with self.assertRaisesRegex(gyrostat.ResultsError, "text.h5"):
            gyrostat.open("text.h5")
        self.write("mine.txt", "mine")
        with self.assertRaises(gyrostat.ResultsError):
            self.model.simulate(output="mine.txt")
        self.assertEqual((self.folder / "mine.txt").read_text(), "mine")

    def test_become_tables_of_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is not installed: tables are not tested")
        table = self.results.to_pandas(["bus.omega_x", "command"])
        self.assertIsInstance(table, pandas.DataFrame)
        np.testing.assert_array_equal(table["command"].to_numpy(), self.results["command"])
        np.testing.assert_array_equal(table.index.to_numpy(), self.results.time)
        self.assertEqual(self.results.to_pandas().shape, (21, len(self.results.names)))

    def test_are_drawn_by_matplotlib(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("python3-matplotlib is not installed: pictures are tested without it only")
        matplotlib.use("Agg")
        axes = self.results.plot("bus.omega_x", "command")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["bus.omega_x [rad/s]", "command"])
        np.testing.assert_array_equal(axes.get_lines()[0].get_ydata(), self.results["bus.omega_x"])

    def test_are_drawn_on_axes_of_any_kind(self):
        axes = mock.MagicMock()
        self.assertIs(self.results.plot("bus.omega_x", "command", ax=axes), axes)
        (time, values), label = axes.plot.call_args_list[0]
        np.testing.assert_array_equal(time, self.results.time)
        np.testing.assert_array_equal(values, self.results["bus.omega_x"])
        self.assertEqual(label, {"label": "bus.omega_x [rad/s]"})
        self.assertEqual(axes.plot.call_args_list[1][1], {"label": "command"})
        with self.assertRaisesRegex(ValueError, "name the columns"):
            self.results.plot(ax=axes)

    def test_have_a_report_and_a_view(self):
        try:
            page = self.results.report("x.html")
        except gyrostat.ReportError as error:
            self.skipTest(str(error))
        self.assertGreater(page.stat().st_size, 100_000)
        shown = self.results.view(height=500)._repr_html_()
        self.assertTrue(shown.startswith("<iframe srcdoc="))
        self.assertIn('height="500"', shown)
        self.assertNotIn("<script", shown)  # all of the page is within the attribute
        with self.assertRaises(gyrostat.GyrostatError):
            self.results.report(self.write("mine.txt", "mine"))


class Stepping(InFolder):
    def test_gives_the_same_as_a_whole_run(self):
        model = gyrostat.Model.from_text(SPINNER)
        for settings in ({"tolerance": 1e-10}, {"method": "rk4", "step": 0.01}, {"method": "cvode_adams", "tolerance": 1e-10},
                         {"method": "cvode_bdf", "tolerance": 1e-10}):
            whole = model.simulate(until=10, **settings)
            simulation = model.simulation(until=10, **settings)
            for k in range(1, len(whole)):
                simulation.step(0.5)
                self.assertAlmostEqual(simulation.time, 0.5 * k, places=12)
                self.assertAlmostEqual(simulation["bus.omega_x"], whole["bus.omega_x"][k], delta=2e-7)
            np.testing.assert_allclose(simulation.state[1][0], whole["bus.omega_x"][-1], atol=2e-7)

    def test_lands_on_events_as_a_whole_run_does(self):
        model = gyrostat.Model.load(FIVE_BODY)
        whole = model.simulate(until=6)
        simulation = model.simulation(until=6)
        while simulation.time < 6:
            simulation.step(min(0.25, 6 - simulation.time))
        self.assertEqual([(e.name, e.what) for e in simulation.events], [(e.name, e.what) for e in whole.events])
        np.testing.assert_allclose([e.time for e in simulation.events], [e.time for e in whole.events], atol=1e-6)
        self.assertAlmostEqual(simulation["theta1"], whole["theta1"][-1], delta=1e-8)
        self.assertLess(simulation.ledger["energy"].relative, 1e-6)
        self.assertGreater(simulation.statistics["steps"], 100)

    def test_sets_torques(self):
        model = gyrostat.Model.from_dict({"bodies": {"bus": {"mass": 2, "inertia": [3, 3, 4]}}})
        simulation = model.simulation(["bus.torque_z", "bus.force_x"], until=100, method="dopri5")
        self.assertEqual(simulation.inputs, {"bus.torque_z": 0.0, "bus.force_x": 0.0})
        rate = 0
        for torque in (0.4, -0.2, 0.0, 1.0):
            simulation["bus.torque_z"] = torque
            self.assertEqual(simulation["bus.torque_z"], torque)
            simulation.step(0.5)
            rate += torque * 0.5 / 4
            self.assertAlmostEqual(simulation["bus.omega_z"], rate, places=10)
        ledger = simulation.ledger
        self.assertLess(ledger["energy"].relative, 1e-8)
        self.assertAlmostEqual(ledger["energy"].scale, 0.5 * 4 * rate**2, places=14)  # all that the torque has put in
        simulation.set_inputs([0, 3.0])
        simulation.step(1)
        self.assertAlmostEqual(np.linalg.norm(simulation.get(["bus.velocity_x", "bus.velocity_y"])), 1.5, delta=0.1)

    def test_replaces_signals(self):
        model = gyrostat.Model.from_text(SPINNER)
        simulation = model.simulation(["command"])
        self.assertAlmostEqual(simulation["command"], 0.2)  # as the model computes it at t = 0, and held
        simulation.step(1)
        self.assertAlmostEqual(simulation["command"], 0.2)
        simulation["command"] = 0.0
        self.assertEqual(simulation["command"], 0.0)
        first = model.simulation({"command": -0.1})
        self.assertEqual(first["command"], -0.1)

    def test_with_samples_is_a_control_law_as_in_the_model(self):
        text = SPINNER.replace('command: "level*cos(t)"', 'rate: {sample: {input: "-0.8*bus.omega_x", period: 0.1}}\n  command: rate')
        sampled = gyrostat.Model.from_text(text).simulate(until=5, tolerance=1e-10)
        simulation = gyrostat.Model.from_text(SPINNER).simulation(["command"], until=5, tolerance=1e-10)
        for _ in range(50):
            simulation["command"] = -0.8 * simulation["bus.omega_x"]
            simulation.step(0.1)
        self.assertAlmostEqual(simulation.time, 5, places=9)
        np.testing.assert_allclose(simulation["bus.omega_x"], sampled["bus.omega_x"][-1], atol=1e-8)

    def test_switches_what_an_input_crosses(self):
        text = SPINNER.replace('command: "level*cos(t)"', 'knob: 0\n  command: {switching_amplifier: {input: knob, deadband: 0.5}}')
        simulation = gyrostat.Model.from_text(text).simulation(["knob"])
        simulation.step(0.1)
        self.assertEqual(simulation["command"], 0)
        simulation["knob"] = 1
        simulation.step(0.1)
        self.assertEqual(simulation["command"], 1)
        self.assertAlmostEqual(simulation.events[-1].time, 0.1, places=9)

    def test_changes_parameters(self):
        model = gyrostat.Model.from_text(SPINNER)
        simulation = model.simulation(["bus.torque_z"], until=4, tolerance=1e-10)
        simulation["bus.torque_z"] = 0.05
        simulation.step(2)
        before = simulation.get(["bus.omega_x", "bus.omega_y", "bus.omega_z"])
        state = simulation.state
        simulation["gain"] = 3
        after = simulation.state
        np.testing.assert_array_equal(after[1], state[1])  # the speeds themselves
        np.testing.assert_allclose(after[0], state[0], rtol=0, atol=3e-16)  # the quaternion is normalised anew,
        rates = simulation.get(["bus.omega_x", "bus.omega_y", "bus.omega_z"])
        np.testing.assert_allclose(rates, before, rtol=1e-15)  # and what is turned by it is rounded with it
        self.assertEqual(simulation["gain"], 3)
        self.assertEqual(simulation["bus.torque_z"], 0.05)
        simulation.step(2)
        self.assertEqual(simulation.time, 4)
        # the same by a parameter that depends on time
        switched = SPINNER.replace("gain*bus", "(gain + 2.5*step(2))*bus").replace("torque: [command", "torque: [command") \
            .replace(", 0]}", ", 0.05]}")
        other = gyrostat.Model.from_text(switched).simulate(until=4, tolerance=1e-10)
        np.testing.assert_allclose(simulation["bus.omega_y"], other["bus.omega_y"][-1], atol=1e-8)
        self.assertLess(simulation.ledger["energy"].relative, 1e-6)

    def test_keeps_records(self):
        simulation = gyrostat.Model.from_text(SPINNER).simulation(["bus.torque_z"], record=True)
        for k in range(20):
            simulation["bus.torque_z"] = 0.1 * (-1) ** k
            simulation.step(0.5)
        results = simulation.results("stepped.h5")
        self.assertEqual(results.status, "finished")
        np.testing.assert_allclose(results.time, np.arange(0, 10.25, 0.5))
        self.assertEqual(results["bus.omega_x"][-1], simulation["bus.omega_x"])
        self.assertLess(results.ledger["energy"].relative, 1e-6)
        with self.assertRaisesRegex(gyrostat.SettingsError, "no records"):
            gyrostat.Model.from_text(SPINNER).simulation().results()

    def test_refuses_what_is_wrong(self):
        model = gyrostat.Model.from_text(SPINNER, file="s.yaml")
        simulation = model.simulation(until=1)
        with self.assertRaises(KeyError) as caught:
            simulation["bus.omga_x"]
        self.assertEqual(caught.exception.args[0], "the body 'bus' has no 'omga_x'; did you mean 'omega_x'?")
        with self.assertRaisesRegex(KeyError, "neither a parameter nor an input"):
            simulation["command"] = 3
        with self.assertRaisesRegex(ValueError, "finite"):
            simulation["gain"] = float("nan")
        with self.assertRaisesRegex(gyrostat.SettingsError, "ends at t = 1 s"):
            simulation.step(2)
        with self.assertRaisesRegex(gyrostat.SettingsError, "time goes forward"):
            simulation.step(-0.1)
        with self.assertRaisesRegex(gyrostat.AnalysisError, "no input 'torque'"):
            model.simulation("torque")
        with self.assertRaisesRegex(gyrostat.SettingsError, "twice"):
            model.simulation(["command", "command"])
        failing = gyrostat.Model.from_text(FAILS, file="f.yaml").simulation()
        with self.assertRaises(gyrostat.SimulationError) as caught:
            failing.step(5)
        self.assertAlmostEqual(caught.exception.time, 2, places=3)
        self.assertTrue(str(caught.exception).startswith("f.yaml: stopped at t = "))
        with self.assertRaises(gyrostat.SimulationError):  # and remains so
            failing.step(1)

    def test_of_one_body_is_fast(self):
        model = gyrostat.Model.from_dict({"bodies": {"bus": {"mass": 10, "inertia": [1, 2, 3]}},
                                          "joints": {"base": {"initial": {"omega": [0.1, 0.2, 0.3]}}}})
        told = []
        for settings in ({"method": "rk4", "step": 0.01}, {"method": "dopri5", "tolerance": 1e-8}):
            simulation = model.simulation(["bus.torque_z"], until=1e4, **settings)
            best = 0.0
            for _ in range(5):
                begin = time.perf_counter()
                for _ in range(5000):
                    simulation["bus.torque_z"] = -0.1 * simulation["bus.omega_z"]
                    simulation.step(0.01)
                best = max(best, 5000 / (time.perf_counter() - begin))
            told.append(f"{settings['method']} {best:.3g} steps/s")
            self.assertGreater(best, float(os.environ.get("GYROSTAT_LEAST_STEPS", "2e4")), told)
        print("; ".join(told), "with a control law in Python")


class Threads(InFolder):
    def test_run_two_simulations_at_once(self):
        model = gyrostat.Model.load(FIVE_BODY)
        alone = model.simulate(until=6)
        found, errors = {}, []

        def whole(k):
            try:
                found[k] = model.simulate(until=6)["theta1"].copy()
            except BaseException as error:  # for the main thread
                errors.append(error)

        def stepped(k):
            try:
                simulation = model.simulation(until=6)
                for _ in range(24):
                    simulation.step(0.25)
                found[k] = simulation["theta1"]
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=target, args=(k,)) for k, target in enumerate([whole, whole, stepped, stepped])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        for k in (0, 1):
            np.testing.assert_array_equal(found[k], alone["theta1"])
        self.assertEqual(found[2], found[3])
        self.assertAlmostEqual(found[2], alone["theta1"][-1], delta=1e-8)

    def test_go_on_while_a_run_goes_on(self):
        model = gyrostat.Model.from_text(SPINNER)
        done = threading.Event()

        def run():
            model.simulate(until=3000, interval=100)
            done.set()

        thread = threading.Thread(target=run)
        thread.start()
        counted = 0
        while not done.is_set() and counted < 1_000_000:
            counted += 1
        thread.join()
        self.assertGreater(counted, 1000)

    def test_cannot_step_one_simulation_at_once(self):
        simulation = gyrostat.Model.from_text(SPINNER).simulation(until=1e6, interval=1e3)
        refused = []
        thread = threading.Thread(target=lambda: simulation.step(20000))
        thread.start()
        while thread.is_alive():
            try:
                simulation["bus.omega_x"]
            except RuntimeError as error:
                refused.append(str(error))
                break
        thread.join()
        self.assertIn("in use by another thread", refused[0] if refused else "")


if __name__ == "__main__":
    unittest.main()
