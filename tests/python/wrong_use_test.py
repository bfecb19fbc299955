"""Wrong use: types, shapes, names, order, threads. Each is an exception whose text says what is wrong; never a crash."""
import os
import subprocess
import sys
import threading
import unittest
from unittest import mock

import numpy as np

import gyrostat
from support import SPINNER, InFolder


class WrongUse(InFolder):
    def setUp(self):
        super().setUp()
        self.model = gyrostat.Model.from_text(SPINNER, file="s.yaml")
        self.q, self.u = self.model.state()

    def refused(self, kind, text, act):
        with self.assertRaisesRegex(kind, text):
            act()

    def test_types(self):
        model, q, u = self.model, self.q, self.u
        for text, act in (
            ("until: expected a number, got 'ten'", lambda: model.simulate(until="ten")),
            (r"tolerance: expected a number, got \[1e-06\]", lambda: model.simulate(until=1, tolerance=[1e-6])),
            ("method: expected a text, got 5", lambda: model.simulate(until=1, method=5)),
            ("allow_plugins: expected True or False, got 'no'", lambda: model.simulate(until=1, allow_plugins="no")),
            ("state: expected a dict of entries, or .q, u., got 0.1", lambda: model.simulate(until=1, initial=0.1)),
            ("base.omega_x: expected a number, got 'fast'", lambda: model.state({"base.omega_x": "fast"})),
            ("the name of an entry of the state: expected a text, got 3", lambda: model.state({3: 1.0})),
            ("q: numbers are needed, and not 'abc'", lambda: model.accelerations("abc", u)),
            (r"u: numbers are needed, and not \[None", lambda: model.accelerations(q, [None] * 6)),
            ("udot: numbers are needed, and not .*j", lambda: model.inverse_dynamics([1j] * 6)),
            (r"gains: expected a dict of names and numbers, got \[1\]", lambda: model.linearize(gains=[1])),
            ("at: expected a number, got 'now'", lambda: model.linearize(at="now")),
            ("pade: expected a whole number, got 2.5", lambda: model.linearize(pade=2.5)),
            (r"inputs: expected a list of names, got \[1, 2\]", lambda: model.simulation([1, 2])),
            (r"inputs: expected a list of names, got 7", lambda: model.linearize(7)),
            (r"outputs: expected a list of names, got \[1\]", lambda: model.linearize([], [1])),
            ("inputs: expected a number or None, got 'high'", lambda: model.simulation({"command": "high"})),
            ("inputs: numbers are needed", lambda: model.simulation(["command"]).set_inputs(["x"])),
            ("incompatible function arguments", lambda: model.simulation().step("soon")),
            ("incompatible function arguments", lambda: model.simulation()[3]),
            ("y: numbers are needed", lambda: model.batch(2).derivative("y")),
            ("t: numbers are needed", lambda: model.batch(1).derivative(np.zeros((1, 13)), "now")),
            ("parameter 'gain': a number, three, or a text is needed, and not {1}", lambda: model.with_parameters(gain={1})),
            ("parameters: a dict of names and values is needed, and not 5", lambda: gyrostat.Model.from_text(SPINNER, parameters=5)),
        ):
            self.refused((TypeError, ValueError), text, act)

    def test_shapes(self):
        model, q, u = self.model, self.q, self.u
        for text, act in (
            ("q has 7 numbers, not 3", lambda: model.mass_matrix(q[:3])),
            ("udot has 6 numbers, not 1", lambda: model.inverse_dynamics(0.1)),
            (r"q has 3 rows of 7 numbers, and not the shape \(7,\)", lambda: model.batch(3).accelerations(q, u)),
            (r"u has 3 rows of 6 numbers, and not the shape \(3, 7\)", lambda: model.batch(3).accelerations(np.zeros((3, 7)), np.zeros((3, 7)))),
            (r"y has 3 rows of 13 numbers, and not the shape \(\)", lambda: model.batch(3).derivative(1.0)),
            ("t is one time, or 3", lambda: model.batch(3).derivative(np.zeros((3, 13)), [0, 1])),
            ("inputs has 3 rows of 1 numbers", lambda: model.batch(3, ["command"]).accelerations(np.tile(q, (3, 1)), np.tile(u, (3, 1)))),
            ("there are 1 inputs, not 2", lambda: model.simulation(["command"]).set_inputs([1, 2])),
            ("at least one state", lambda: model.batch(0)),
        ):
            self.refused(ValueError, text, act)
        self.refused(TypeError, "incompatible", lambda: model.batch(-1))

    def test_numbers_that_are_none(self):
        simulation = self.model.simulation(["command"])
        self.refused(ValueError, "'command' is set to a number that is not finite", lambda: simulation.set_inputs([np.nan]))
        self.refused(gyrostat.SettingsError, "time goes forward", lambda: simulation.step(float("nan")))
        self.refused(gyrostat.SettingsError, "until=inf", lambda: self.model.simulate(until=float("inf")))
        self.refused(gyrostat.GyrostatError, "tolerance", lambda: self.model.simulate(until=1, tolerance=float("nan")))

    def test_names_that_do_not_exist(self):
        simulation = self.model.simulation()
        results = self.model.simulate(until=1)
        self.refused(KeyError, "no coordinate 'base.angle'", lambda: self.model.state({"base.angle": 1.0}))
        self.refused(KeyError, "did you mean", lambda: simulation.get(["bus.omega_x", "bus.omga_y"]))
        self.refused(KeyError, "no column 'nothing'", lambda: results["nothing"])
        self.refused(KeyError, "no column '3'", lambda: results[3])
        self.refused(KeyError, "no column 'bus.omga'; did you mean", lambda: results.plot("bus.omga"))
        self.refused(KeyError, "no column", lambda: results.at("x", [0.5]))
        self.refused(KeyError, "momentun", lambda: results.ledger["momentun"])
        self.refused(gyrostat.AnalysisError, "no input 'command_'; did you mean 'command'|no input 'command_'", lambda: self.model.batch(2, ["command_"]))
        self.refused(gyrostat.ModelError, "gian", lambda: self.model.with_parameters(gian=2))
        self.refused(gyrostat.SettingsError, "there is no integrator 'euler'", lambda: self.model.simulation(method="euler"))

    def test_after_closing(self):
        with self.model.simulate(until=1) as results:
            rate = results["bus.omega_x"]
            path = results.path
        self.assertFalse(path.exists())
        self.assertEqual(rate[0], 0.1)  # arrays remain
        self.assertEqual(results["bus.omega_x"][0], 0.1)
        for act in (lambda: results["bus.omega_y"], lambda: results.events, lambda: results.ledger, lambda: results.status,
                    lambda: results.report("x.html"), lambda: results.model, lambda: results.__enter__(), lambda: results.time):
            self.refused(ValueError, "these results are closed", act)
        self.assertEqual(repr(results), "<gyrostat.Results, closed>")
        results.close()  # once more does nothing
        kept = self.model.simulate(until=1, output="kept.h5")
        kept.close()
        self.assertTrue(os.path.exists("kept.h5"))

    def test_a_file_that_was_removed_or_cut(self):
        results = self.model.simulate(until=1, output="r.h5")
        whole = (self.folder / "r.h5").read_bytes()
        results.close()
        for size in (0, 10, 100, len(whole) // 2, len(whole) - 7):
            (self.folder / "cut.h5").write_bytes(whole[:size])
            with self.assertRaisesRegex((gyrostat.ResultsError, gyrostat.CampaignError), "cut.h5"):
                gyrostat.open("cut.h5")["bus.omega_x"]
            with self.assertRaisesRegex(gyrostat.GyrostatError, "cut.h5"):
                gyrostat.open_campaign("cut.h5")
        self.refused(gyrostat.GyrostatError, "none.h5", lambda: gyrostat.resume("none.h5"))
        self.refused(gyrostat.GyrostatError, "r.h5", lambda: gyrostat.resume("r.h5"))  # finished

    def test_objects_made_without_their_makers(self):
        from gyrostat import _gyrostat

        for kind in (_gyrostat.Model, _gyrostat.Campaign):
            self.refused(TypeError, "No constructor defined", lambda kind=kind: kind())
        self.refused(TypeError, "incompatible", lambda: _gyrostat.Batch(None, 3, []))
        self.refused(TypeError, "incompatible", lambda: _gyrostat.Simulation(None, {}, None))

        class Forgetful(gyrostat.Simulation):
            def __init__(self):
                pass

        self.refused(TypeError, "__init__.. must be called", Forgetful)

    def test_two_threads_on_one_simulation(self):
        # Every method, while another thread steps: refused, or done before or after; never something in between.
        simulation = self.model.simulation({"command": 0.0}, until=1e6, interval=1e3, record=True)
        refused, others = set(), []
        acts = {
            "time": lambda: simulation.time, "state": lambda: simulation.state, "events": lambda: simulation.events,
            "inputs": lambda: simulation.inputs, "statistics": lambda: simulation.statistics, "ledger": lambda: simulation.ledger,
            "get": lambda: simulation.get(["bus.omega_x"]), "item": lambda: simulation["bus.omega_x"],
            "set": lambda: simulation.set_inputs([0.0]), "parameter": lambda: simulation.__setitem__("gain", 0.5),
            "step": lambda: simulation.step(0.1), "write": lambda: simulation.write("x.h5"),
        }

        def long_step():
            while True:
                try:
                    return simulation.step(2e4)
                except RuntimeError:  # the other was first
                    pass

        thread = threading.Thread(target=long_step)
        thread.start()
        while thread.is_alive() and len(refused) < len(acts):
            for name, act in acts.items():
                try:
                    act()
                except RuntimeError as error:
                    refused.add(name) if "in use by another thread" in str(error) else others.append(error)
        thread.join()
        self.assertEqual(others, [])
        self.assertEqual(refused, set(acts))

    def test_two_threads_on_one_batch(self):
        batch = self.model.batch(20000)
        q, u = np.tile(self.q, (20000, 1)), np.tile(self.u, (20000, 1))
        expected, wrong, refused = batch.accelerations(q, u), [], []

        def work():
            for _ in range(20):
                try:
                    if not np.array_equal(batch.accelerations(q, u), expected):
                        wrong.append("numbers")
                except RuntimeError as error:
                    refused.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertTrue(all("this batch is in use by another thread" in text for text in refused))

    def test_two_threads_on_one_model_and_its_results(self):
        results = self.model.simulate()
        expected = self.model.accelerations()
        wrong = []

        def work():
            for _ in range(30):
                if not np.array_equal(self.model.accelerations(), expected):
                    wrong.append("accelerations")
                if gyrostat.open(results.path)["bus.omega_y"][0] != 0.2:
                    wrong.append("results")

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_packages_that_are_not_installed(self):
        results = self.model.simulate(until=1)
        linear = self.model.linearize(["bus.torque_x"], ["bus.omega_x"])
        for module, name, act in (
            ("matplotlib", "matplotlib", lambda: results.plot("bus.omega_x")),
            ("pandas", "pandas", results.to_pandas),
            ("scipy", "scipy", linear.to_scipy),
            ("control", "control", linear.to_control),
        ):
            hidden = {name: None for name in sys.modules if name.split(".")[0] == module} | {module: None}
            with mock.patch.dict(sys.modules, hidden), self.assertRaises(ImportError) as caught:
                act()
            self.assertRegex(str(caught.exception), f"^[a-z_]+ needs {name}, which is not installed: .*install")

    def test_an_interpreter_that_ends_in_the_middle(self):
        # Threads that run when the interpreter ends must not bring it down.
        for act in ("m.simulate(until=1e7, interval=1e4)", "m.simulation(until=1e7).step(1e6)",
                    "gyrostat.Campaign.from_dict({'model': m, 'samples': {'count': 10**6}, 'measure': {'m': {'max': 't'}}}).run(progress=print)"):
            script = ("import gyrostat, sys, threading, time\n"
                      f"m = gyrostat.Model.from_text('''{SPINNER}''')\n"
                      "class Slow:\n    def __del__(self): time.sleep(0.3)\n"  # the end takes a while
                      "sys.slow = Slow()\n"
                      f"threading.Thread(target=lambda: {act}, daemon=True).start()\n"
                      "time.sleep(0.3); print('ended', file=sys.stderr)\n")
            result = subprocess.run([sys.executable, "-c", script], cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertEqual((result.stderr, result.returncode), ("ended\n", 0), act)


class OtherPackages(InFolder):
    def test_get_the_matrices(self):
        linear = gyrostat.Model.from_text(SPINNER).linearize(["bus.torque_x"], ["bus.omega_x"])
        control = mock.MagicMock()
        with mock.patch.dict(sys.modules, {"control": control}):
            linear.to_control()
        (A, B, C, D), names = control.ss.call_args
        for given, matrix in zip((A, B, C, D), (linear.A, linear.B, linear.C, linear.D)):
            np.testing.assert_array_equal(given, matrix)
        self.assertEqual(names, {"states": linear.state_names, "inputs": ["bus.torque_x"], "outputs": ["bus.omega_x"]})

    def test_of_a_sampled_loop_have_its_period(self):
        text = SPINNER.replace('command: "level*cos(t)"', 'command: {sample: {input: "-0.8*bus.omega_x", period: 0.1}}')
        linear = gyrostat.Model.from_text(text).linearize(["bus.torque_x"], ["bus.omega_x"], discrete=True)
        self.assertEqual(linear.period, 0.1)
        control, signal = mock.MagicMock(), mock.MagicMock()
        with mock.patch.dict(sys.modules, {"control": control, "scipy": mock.MagicMock(signal=signal), "scipy.signal": signal}):
            linear.to_control()
            linear.to_scipy()
        self.assertEqual(control.ss.call_args[0][4], 0.1)
        self.assertEqual(signal.StateSpace.call_args[1], {"dt": 0.1})


if __name__ == "__main__":
    unittest.main()
