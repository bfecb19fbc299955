"""Models: errors with their places, names, accelerations against the command line, linear models, batches."""
import gc
import json
import pickle
import sys
import threading
import time
import unittest

import numpy as np

import gyrostat
from support import FIVE_BODY, SOURCE, SPINNER, InFolder, asked, command_line

WRONG = SPINNER.replace("mass: 10", "mass: 10 m").replace("gain*bus", "gian*bus").replace("[1, 2, 3]", "[1, 2]")


# A bus and four links with springs.
CHAIN = {
    "bodies": {"bus": {"mass": 100, "inertia": [10, 12, 8]},
               **{f"link{k}": {"mass": 3, "com": [0.5, 0, 0], "inertia": [0.1, 1, 1]} for k in range(4)}},
    "joints": {f"hinge{k}": {"type": "revolute", "parent": f"link{k - 1}" if k else "bus", "child": f"link{k}", "parent_point": [1, 0, 0],
                             "axis": [0, k % 2, 1 - k % 2], "stiffness": 20} for k in range(4)},
}


class Errors(InFolder):
    def test_have_the_text_of_the_command_line(self):
        self.write("wrong.yaml", WRONG)
        with self.assertRaises(gyrostat.ModelError) as caught:
            gyrostat.Model.load("wrong.yaml")
        _, printed, code = command_line("check", "wrong.yaml", folder=self.folder)
        self.assertEqual(code, 1)
        self.assertEqual(str(caught.exception) + "\n", printed)

    def test_have_file_line_column_path_and_message(self):
        self.write("wrong.yaml", WRONG)
        with self.assertRaises(gyrostat.ModelError) as caught:
            gyrostat.Model.load("wrong.yaml")
        stdout, _, _ = command_line("check", "wrong.yaml", "--json", folder=self.folder)
        told = json.loads(stdout)["problems"]
        self.assertEqual(len(caught.exception.problems), len(told))
        self.assertGreaterEqual(len(told), 3)
        for problem, other in zip(caught.exception.problems, told):
            self.assertEqual(problem.file, "wrong.yaml")
            for field in ("severity", "line", "column", "path", "message"):
                self.assertEqual(getattr(problem, field), other[field])
            self.assertIn(f"wrong.yaml:{problem.line}:{problem.column}: error", problem.text)

    def test_of_a_file_that_is_not_there(self):
        with self.assertRaises(gyrostat.ModelError) as caught:
            gyrostat.Model.load("none.yaml")
        self.assertIn("none.yaml", str(caught.exception))

    def test_of_a_file_that_is_not_text(self):
        for load, error in ((gyrostat.Model.load, gyrostat.ModelError), (gyrostat.Campaign.load, gyrostat.CampaignError)):
            (self.folder / "bytes.yaml").write_bytes(b"name: L\xe4nge\n")
            with self.assertRaisesRegex(error, "bytes.yaml:1:8: error: the byte 0xE4 is not UTF-8 text") as caught:
                load("bytes.yaml")
            self.assertIn("name: L\ufffdnge", caught.exception.problems[0].text)

    def test_of_a_parameter_that_does_not_exist(self):
        with self.assertRaisesRegex(gyrostat.ModelError, "gian"):
            gyrostat.Model.from_text(SPINNER, parameters={"gian": 3})

    def test_are_value_errors_and_can_be_pickled(self):
        with self.assertRaises(ValueError) as caught:
            gyrostat.Model.from_text(WRONG, file="w.yaml")
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(str(again), str(caught.exception))
        self.assertEqual(again.problems, caught.exception.problems)

    def test_leave_nothing_behind(self):
        def fail(times):
            for _ in range(times):
                with self.assertRaises(gyrostat.ModelError):
                    gyrostat.Model.from_text(WRONG)
                with self.assertRaises(gyrostat.SettingsError):
                    gyrostat.Model.from_text(SPINNER).simulate(method="euler")
                with self.assertRaises(KeyError):
                    gyrostat.Model.from_text(SPINNER).state({"none": 1.0})
            gc.collect()
            return sum(isinstance(o, (BaseException, gyrostat.Model)) for o in gc.get_objects()), sys.getrefcount(gyrostat.ModelError)

        before = fail(3)
        after = fail(30)
        self.assertEqual(before, after)

    def test_in_threads_have_their_own_texts(self):
        texts = {}

        def load(name):
            for _ in range(20):
                try:
                    gyrostat.Model.from_text(WRONG, file=name)
                except gyrostat.ModelError as error:
                    texts.setdefault(name, set()).add(str(error))

        threads = [threading.Thread(target=load, args=(f"{k}.yaml",)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for name, found in texts.items():
            self.assertEqual(len(found), 1)
            self.assertTrue(next(iter(found)).startswith(name))


class Models(InFolder):
    def test_know_their_names(self):
        model = gyrostat.Model.load(FIVE_BODY)
        self.assertEqual(model.bodies, ["bus", "hub", "platform", "knuckle", "boom"])
        self.assertEqual(model.joints[1:], ["pan", "tilt", "boom_x", "boom_z"])
        self.assertIn("jet1", model.signals)
        self.assertEqual(model.parameters["K_platform"], 3500)
        self.assertEqual([e.name for e in model.speeds][6:], ["pan.rate", "tilt.rate", "boom_x.rate", "boom_z.rate"])
        self.assertEqual(model.coordinates[-1].unit, "rad")
        self.assertIn("bus.omega_x", model.quantities("bus.omega_?"))
        self.assertIn(("jet1", "signal"), [(c.name, c.description) for c in model.columns])
        self.assertEqual(model.name, "JPL five-body spacecraft, case 1")

    def test_take_parameters_with_units(self):
        model = gyrostat.Model.load(FIVE_BODY, parameters={"deadband": "4 mrad", "slew": 0.01})
        self.assertAlmostEqual(model.parameters["deadband"], 0.004)
        self.assertAlmostEqual(model.with_parameters(deadband="6 mrad").parameters["deadband"], 0.006)
        self.assertAlmostEqual(model.with_parameters(deadband="6 mrad").parameters["slew"], 0.01)

    def test_are_checked_as_by_the_command_line(self):
        self.write("ida.yaml", SPINNER.replace("method: dopri5", "method: ida").replace(
            "simulation: {", "simulation: {formulation: composite_body, "))
        check = gyrostat.Model.load("ida.yaml").check()
        _, printed, code = command_line("check", "ida.yaml", folder=self.folder)
        self.assertEqual((bool(check), code), (False, 1))
        self.assertEqual(check.text, printed)
        self.assertEqual(check.problems[0].path, "simulation")
        self.assertTrue(gyrostat.Model.load(FIVE_BODY).check())

    def test_are_built_in_code(self):
        model = gyrostat.Model.from_dict({
            "bodies": {"bus": {"mass": np.float64(10), "inertia": np.array([1.0, 2.0, 3.0])}},
            "joints": {"base": {"initial": {"omega": [0.1, 0.2, "17 deg/s"]}}},
            "loads": [{"body": "bus", "torque": ["-0.1*bus.omega_x", 0, 0]}],
        })
        q, u = model.state()
        self.assertAlmostEqual(u[2], np.deg2rad(17))
        self.assertAlmostEqual(model.accelerations()[0], ((2 - 3) * u[1] * u[2] - 0.1 * u[0]) / 1)
        with self.assertRaises(gyrostat.ModelError) as caught:
            gyrostat.Model.from_dict({"bodies": {"bus": {"mass": "ten"}}})
        self.assertEqual(caught.exception.problems[0].path, "bodies.bus.mass")
        with self.assertRaisesRegex(TypeError, "set"):
            gyrostat.Model.from_dict({"bodies": {1, 2}})

    def test_cannot_be_pickled(self):
        model = gyrostat.Model.from_text(SPINNER)
        for thing in (model, model.simulate(until=1), model.simulation(), model.batch(2)):
            with self.assertRaisesRegex(TypeError, "cannot be pickled"):
                pickle.dumps(thing)

    def test_have_docstrings(self):
        missing = []
        for name in gyrostat.__all__:
            thing = getattr(gyrostat, name)
            if isinstance(thing, (str, list)):
                continue
            owners = [c for c in reversed(thing.__mro__) if c.__module__.startswith("gyrostat")] if isinstance(thing, type) else []
            parts = {part: value for owner in owners for part, value in vars(owner).items()}
            for part, value in [("", thing)] + [(p, v) for p, v in parts.items() if not p.startswith("_")]:
                inner = getattr(value, "__func__", value)
                documented = callable(inner) or isinstance(inner, property)
                if documented and not (getattr(inner, "__doc__", None) or "").strip():
                    missing.append(f"{name}.{part}")
        self.assertEqual(missing, [])
        from gyrostat import _gyrostat

        for owner in (_gyrostat.Model, _gyrostat.Batch, _gyrostat.Campaign, _gyrostat.ResultsFile, _gyrostat.Simulation):
            for part, value in vars(owner).items():
                if not part.startswith("_"):
                    text = (value.__doc__ or "").split("\n\n", 1)[-1]
                    self.assertGreater(len(text.strip()), 5, f"{owner.__name__}.{part}")

    def test_and_their_stubs_agree(self):
        import ast

        from gyrostat import _gyrostat

        tree = ast.parse((SOURCE / "python/gyrostat/_gyrostat.pyi").read_text())
        for node in tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            told = {f.name for f in node.body if isinstance(f, ast.FunctionDef)}
            there = {n for n in vars(getattr(_gyrostat, node.name)) if not n.startswith("_") or n in ("__init__", "__getitem__", "__setitem__")}
            there -= {"__init__"} - told
            self.assertEqual(told, there, node.name)
        functions = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
        self.assertEqual(functions, {n for n, v in vars(_gyrostat).items() if type(v).__name__ == "builtin_function_or_method"})


class EquationsOfMotion(InFolder):
    def test_give_the_accelerations_of_the_command_line(self):
        model = gyrostat.Model.load(FIVE_BODY)
        for formulation in ("articulated_body", "augmented_body", "kane", "absolute"):
            told = asked("accel", FIVE_BODY, "--formulation", formulation)["accelerations"]
            flat = np.concatenate([told[joint] for joint in model.joints])
            np.testing.assert_allclose(model.accelerations(formulation=formulation), flat, rtol=1e-12, atol=1e-12)

    def test_at_another_state(self):
        model = gyrostat.Model.load(FIVE_BODY)
        self.write("state.json", '{"joints": {"pan": {"position": [3.9], "speed": [0.02]}, "base": {"omega": [0.01, -0.02, 0.3]}}}')
        told = asked("accel", FIVE_BODY, "--state", "state.json", folder=self.folder)["accelerations"]
        flat = np.concatenate([told[joint] for joint in model.joints])
        q, u = model.state({"pan.angle": 3.9, "pan.rate": 0.02, "base.omega_x": 0.01, "base.omega_y": -0.02, "base.omega_z": 0.3})
        np.testing.assert_allclose(model.accelerations(q, u), flat, rtol=1e-12, atol=1e-12)

    def test_of_every_example_are_those_of_the_command_line(self):
        for path in sorted(SOURCE.glob("examples/*/*.yaml")):
            try:
                model = gyrostat.Model.load(path)
            except gyrostat.ModelError:
                continue  # parts of other models
            stdout, _, code = command_line("accel", path, "--json")
            if code != 0:
                with self.assertRaises(gyrostat.GyrostatError, msg=str(path)):
                    model.accelerations()
                continue
            answer = json.loads(stdout)
            flat = np.concatenate([answer["accelerations"][j] for j in model.joints if j in answer["accelerations"]])
            ours = model.accelerations()
            wheels = np.array(list(answer["wheels"].values()))
            if len(flat) + len(wheels) != len(ours):
                continue  # flexible bodies have modal rates between
            np.testing.assert_allclose(ours, np.concatenate([flat, wheels]), rtol=1e-9,
                                       atol=1e-9 * (1 + np.abs(ours).max(initial=0)), err_msg=str(path))

    def test_refuse_what_is_wrong(self):
        model = gyrostat.Model.from_text(SPINNER)
        q, u = model.state()
        with self.assertRaisesRegex(ValueError, "q has 7 numbers, not 3"):
            model.accelerations(q[:3], u)
        with self.assertRaisesRegex(ValueError, "quaternion"):
            model.accelerations(2 * q + 1, u)
        with self.assertRaisesRegex(ValueError, "finite"):
            model.accelerations(q, u * np.nan)
        with self.assertRaisesRegex(gyrostat.SettingsError, "formulation newton"):
            model.accelerations(formulation="newton")
        with self.assertRaisesRegex(KeyError, "no coordinate 'base.omega_X'"):
            model.state({"base.omega_X": 1.0})

    def test_mass_matrix_and_inverse_dynamics_agree(self):
        model = gyrostat.Model.load(FIVE_BODY)
        random = np.random.default_rng(3)
        q, u = model.state({"pan.angle": 1.0, "tilt.angle": 0.4, "boom_x.angle": -0.2, "boom_z.angle": 0.3})
        u = random.normal(size=len(u)) * 0.1
        M = model.mass_matrix(q)
        np.testing.assert_allclose(M, M.T)
        self.assertGreater(np.linalg.eigvalsh(M)[0], 0)
        a, b = random.normal(size=(2, len(u)))
        difference = model.inverse_dynamics(a, q, u) - model.inverse_dynamics(b, q, u)
        np.testing.assert_allclose(difference, M @ (a - b), rtol=1e-10, atol=1e-9)
        # Accelerations need no force on the base, and the torques of the model's own joints.
        tau = model.inverse_dynamics(model.accelerations(q, u), q, u)
        p = model.parameters
        np.testing.assert_allclose(tau[:6], 0, atol=1e-8)
        np.testing.assert_allclose(tau[8], -p["K_boom"] * -0.2 - p["B_boom"] * u[8], rtol=1e-9)

    def test_inverse_dynamics_is_friction_by_reaction_where_nothing_else_acts(self):
        model = gyrostat.Model.from_text("""gyrostat: 1
bodies: {cart: {mass: 2, inertia: [1, 1, 1]}, arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}}
joints:
  rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], friction: {reaction: {coefficient: 0.3}}}
  hinge: {type: revolute, parent: cart, child: arm, axis: [0, 1, 0], friction: {reaction: {coefficient: 0.2, radius: 0.05}}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 1}
""")
        q, u = model.state({"rail.speed": 2.0, "hinge.rate": -3.0})
        a = model.accelerations(q, u)
        tau = model.inverse_dynamics(a, q, u)
        r, w, g = 0.3, 3.0, 9.81  # by hand: the rail bears the weight less what the arm falls; the hinge what the arm needs along x and z
        pressed = 3 * g - r * a[1]
        np.testing.assert_allclose(tau[0], -0.3 * pressed, rtol=1e-12)
        np.testing.assert_allclose(3 * a[0], tau[0] + r * w**2, rtol=1e-12)
        np.testing.assert_allclose(tau[1], 0.2 * 0.05 * np.hypot(a[0] - r * w**2, g - r * a[1]), rtol=1e-12)

    def test_energy_is_half_of_u_M_u(self):
        model = gyrostat.Model.from_text(SPINNER)
        q, u = model.state()
        self.assertAlmostEqual(0.5 * u @ model.mass_matrix(q) @ u, 0.5 * (1 * 0.01 + 2 * 0.04 + 3 * 0.09), places=14)


class LinearModels(InFolder):
    def test_are_those_of_the_command_line(self):
        self.write("spinner.yaml", SPINNER)
        model = gyrostat.Model.load("spinner.yaml")
        linear = model.linearize(["bus.torque_x"], ["bus.omega_x", "bus.omega_y"])
        told = asked("linearize", "spinner.yaml", "--inputs", "bus.torque_x", "--outputs", "bus.omega_x,bus.omega_y", folder=self.folder)
        for name in "ABCD":
            np.testing.assert_allclose(getattr(linear, name), np.array(told[name]), atol=1e-14)
        self.assertEqual(linear.input_names, ["bus.torque_x"])
        self.assertEqual(linear.output_names, ["bus.omega_x", "bus.omega_y"])
        self.assertEqual(linear.B.shape, (len(linear.states), 1))
        self.assertEqual(linear.inputs[0].unit, "N*m")

    def test_predict_a_change_of_the_accelerations(self):
        model = gyrostat.Model.from_text(SPINNER)
        linear = model.linearize(["bus.torque_z"])
        names = linear.state_names
        rate = [k for k, name in enumerate(names) if name.endswith("omega_z")]
        np.testing.assert_allclose(linear.B[rate, 0], 1 / 3)
        q, u = model.state()
        h = 1e-6
        ahead = model.accelerations(q, u + [h, 0, 0, 0, 0, 0])[:3] - model.accelerations(q, u - [h, 0, 0, 0, 0, 0])[:3]
        rows = [k for k, name in enumerate(names) if "omega_" in name]
        column = next(k for k, name in enumerate(names) if name.endswith("omega_x"))
        np.testing.assert_allclose(linear.A[rows, column], ahead / (2 * h), atol=1e-7)

    def test_become_objects_of_scipy(self):
        try:
            import scipy.signal
        except ImportError:
            self.skipTest("python3-scipy is not installed: its objects are not tested")
        linear = gyrostat.Model.from_text(SPINNER).linearize(["bus.torque_x"], ["bus.omega_x"])
        space = linear.to_scipy()
        self.assertIsInstance(space, scipy.signal.StateSpace)
        np.testing.assert_array_equal(space.A, linear.A)

    def test_refuse_names_that_do_not_exist(self):
        with self.assertRaisesRegex(gyrostat.AnalysisError, "no input 'bus.torque_w'"):
            gyrostat.Model.from_text(SPINNER).linearize(["bus.torque_w"])
        with self.assertRaisesRegex(gyrostat.AnalysisError, "trim"):
            gyrostat.Model.from_text(SPINNER).linearize(trim="dance")


class Batches(InFolder):
    def states(self, model, n, seed=1):
        random = np.random.default_rng(seed)
        q0, u0 = model.state()
        q, u = np.tile(q0, (n, 1)), np.tile(u0, (n, 1)) + 0.1 * random.normal(size=(n, len(u0)))
        for k, entry in enumerate(model.coordinates):
            if entry.unit == "rad" or entry.unit == "m":
                q[:, k] += 0.1 * random.normal(size=n)
        return q, u

    def test_agree_with_single_states(self):
        for model, packed in ((gyrostat.Model.from_text(SPINNER), True), (gyrostat.Model.load(FIVE_BODY), False)):
            q, u = self.states(model, 21)
            batch = model.batch(21)
            self.assertEqual(batch.not_packed == "", packed, batch.not_packed)
            self.assertEqual(batch.lanes > 1, packed)
            alone = np.array([model.accelerations(q[k], u[k]) for k in range(21)])
            np.testing.assert_allclose(batch.accelerations(q, u), alone, rtol=1e-10, atol=1e-10)

    def test_of_a_chain_of_five_bodies_are_packed(self):
        model = gyrostat.Model.from_dict(CHAIN)
        q, u = self.states(model, 40)
        batch = model.batch(40)
        self.assertEqual(batch.not_packed, "")
        self.assertGreater(batch.lanes, 1)
        alone = np.array([model.accelerations(q[k], u[k]) for k in range(40)])
        np.testing.assert_allclose(batch.accelerations(q, u), alone, rtol=1e-9, atol=1e-9 * np.abs(alone).max())

    def test_are_fast(self):
        n, told = 4096, []
        for name, model in (("one body", gyrostat.Model.from_text(SPINNER)),
                            ("five bodies", gyrostat.Model.from_dict(CHAIN))):
            q, u = self.states(model, n)
            batch = model.batch(n)
            self.assertEqual(batch.not_packed, "")
            seconds = []
            for _ in range(5):
                begin = time.perf_counter()
                batch.accelerations(q, u)
                seconds.append(time.perf_counter() - begin)
            told.append(f"{name} {n / min(seconds):.3g}")
            begin = time.perf_counter()
            for k in range(100):
                model.accelerations(q[k], u[k])
            alone = (time.perf_counter() - begin) / 100
            self.assertLess(min(seconds) / n, alone)  # a state of a batch takes less than one by itself
            told.append(f"one by one {1 / alone:.3g}")
        print("accelerations a second:", ", ".join(told))

    def test_have_inputs(self):
        model = gyrostat.Model.from_text(SPINNER)
        n = 7
        q, u = self.states(model, n)
        batch = model.batch(n, inputs=["bus.torque_z", "command"])
        inputs = np.random.default_rng(2).normal(size=(n, 2))
        expected = np.empty((n, 3))
        w = u[:, :3]
        expected[:, 0] = ((2 - 3) * w[:, 1] * w[:, 2] + inputs[:, 1]) / 1
        expected[:, 1] = ((3 - 1) * w[:, 2] * w[:, 0] - 0.5 * w[:, 1]) / 2
        expected[:, 2] = ((1 - 2) * w[:, 0] * w[:, 1] + inputs[:, 0]) / 3
        np.testing.assert_allclose(batch.accelerations(q, u, inputs)[:, :3], expected, atol=1e-14)
        with self.assertRaisesRegex(ValueError, "inputs has 7 rows of 2"):
            batch.accelerations(q, u)
        self.assertEqual([i.unit for i in batch.inputs][0], "N*m")

    def test_derivatives_have_the_time(self):
        model = gyrostat.Model.from_text(SPINNER)
        n = 5
        batch = model.batch(n)
        self.assertEqual(batch.layout[-6:], [s.name for s in model.speeds])
        q, u = model.state()
        y = np.tile(np.concatenate([q, u]), (n, 1))
        t = np.linspace(0, 2, n)
        rates = batch.derivative(y, t)
        np.testing.assert_allclose(rates[:, 7], (2 - 3) * 0.2 * 0.3 + 0.2 * np.cos(t), atol=1e-14)
        np.testing.assert_allclose(rates[:, :3], 0, atol=1e-15)
        np.testing.assert_allclose(batch.derivative(y, 1.0)[0, 7], (2 - 3) * 0.2 * 0.3 + 0.2 * np.cos(1), atol=1e-14)
        # half of the quaternion product with the angular velocity
        np.testing.assert_allclose(rates[0, 3:7], [0, 0.05, 0.1, 0.15], atol=1e-15)
        with self.assertRaisesRegex(ValueError, "y has 5 rows of 13"):
            batch.derivative(y[:3])


if __name__ == "__main__":
    unittest.main()
