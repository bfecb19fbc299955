"""An environment for learning, in the manner of gymnasium but without it: a rigid satellite to be brought to rest.

    environment = Detumble(seed=1)
    observation, info = environment.reset()
    observation, reward, terminated, truncated, info = environment.step(action)

Observed are the angular velocity [rad/s] and the vector part of the attitude; an action is a torque about each axis
between -1 and 1, of the largest that the wheels give. `action_space` and `observation_space` say so to learners; with
gymnasium installed, ``class Detumble(gymnasium.Env)`` and its Box are all that is to change.
"""
import numpy as np

import gyrostat

MODEL = {
    "name": "A satellite to be brought to rest",
    "bodies": {"bus": {"mass": 100, "inertia": [12, 15, 9]}},
    "simulation": {"duration": 60, "integrator": {"method": "rk4", "step": 0.05}},
}
OBSERVED = ["bus.omega_x", "bus.omega_y", "bus.omega_z", "bus.quaternion_x", "bus.quaternion_y", "bus.quaternion_z"]


class Box:
    """Arrays between bounds: what learners ask of gymnasium.spaces.Box, which may be put in its place."""

    def __init__(self, low, high, seed=None):
        self.low, self.high = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
        self.shape, self.dtype = self.low.shape, self.low.dtype
        self.seed(seed)

    def seed(self, seed=None):
        """Begins the random numbers of `sample` anew."""
        self.random = np.random.default_rng(seed)

    def sample(self):
        """One of them, with equal probability."""
        return self.random.uniform(self.low, self.high)

    def contains(self, x):
        """Is it one of them?"""
        x = np.asarray(x)
        return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))


class Detumble:
    """Episodes of 60 s with ten decisions a second."""

    metadata = {"render_modes": []}
    period = 0.1  # [s]
    largest_torque = 0.5  # [N m]

    def __init__(self, seed=None):
        self.model = gyrostat.Model.from_dict(MODEL)
        self.random = np.random.default_rng(seed)
        self.simulation = None
        self.action_space = Box(-np.ones(3), np.ones(3), seed)
        # 0.5 N m about three axes over 60 s, and the first spin, are 56 N m s at most: 6.3 rad/s where the inertia is least.
        bounds = np.array([7.0] * 3 + [1.0] * 3)
        self.observation_space = Box(-bounds, bounds, seed)

    def reset(self, *, seed=None, options=None):
        """Begins an episode with a random spin, at a random attitude."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        attitude = self.random.normal(size=4)
        attitude /= np.linalg.norm(attitude)
        omega = self.random.uniform(-0.2, 0.2, 3)
        names = [f"base.quaternion_{c}" for c in "wxyz"] + [f"base.omega_{c}" for c in "xyz"]
        initial = dict(zip(names, [*attitude, *omega]))
        self.simulation = self.model.simulation([f"bus.torque_{c}" for c in "xyz"], initial=initial)
        return self.simulation.get(OBSERVED), {}

    def step(self, action):
        """One decision: (observation, reward, terminated, truncated, info)."""
        if self.simulation is None:
            raise RuntimeError("reset() comes first")
        action = np.asarray(action, dtype=float)
        if action.shape != self.action_space.shape or not np.isfinite(action).all():
            raise ValueError(f"an action has three finite numbers, and is not {action}")
        torque = self.largest_torque * np.clip(action, -1, 1)
        self.simulation.set_inputs(torque)
        self.simulation.step(self.period)
        observation = self.simulation.get(OBSERVED)
        speed = float(np.linalg.norm(observation[:3]))
        reward = -speed - 0.01 * float(np.linalg.norm(action))
        truncated = self.simulation.time > 60 - 1.5 * self.period
        return observation, reward, speed < 1e-3, truncated, {"time": self.simulation.time}

    def close(self):
        """Ends the episode."""
        self.simulation = None


def fly(environment, policy, seed):
    """An episode: the sum of rewards, its steps, and the speed at its end [rad/s]."""
    observation, _ = environment.reset(seed=seed)
    total, steps, ended = 0.0, 0, False
    while not ended:
        observation, reward, terminated, truncated, _ = environment.step(policy(observation))
        total, steps, ended = total + reward, steps + 1, terminated or truncated
    return total, steps, float(np.linalg.norm(observation[:3]))


def evaluate_many(model, n, seed=0):
    """The accelerations of n random states with random torques at once, as a model-based learner wants them."""
    random = np.random.default_rng(seed)
    batch = model.batch(n, inputs=[f"bus.torque_{c}" for c in "xyz"])
    q, u = model.state()
    q, u = np.tile(q, (n, 1)), np.tile(u, (n, 1))
    u[:, :3] = random.uniform(-0.2, 0.2, (n, 3))
    torque = random.uniform(-0.5, 0.5, (n, 3))
    return u, torque, batch.accelerations(q, u, torque)


if __name__ == "__main__":
    environment = Detumble()
    # The best of a few linear policies: a search, where a learner would go on.
    best = max(np.linspace(0, 200, 9), key=lambda gain: fly(environment, lambda o: -gain * o[:3], seed=7)[0])
    total, steps, speed = fly(environment, lambda o: -best * o[:3], seed=11)
    print(f"gain {best:.0f}: {steps} steps, reward {total:.2f}, {speed:.1e} rad/s at the end")
    _, _, udot = evaluate_many(environment.model, 1000)
    print(f"{len(udot)} states at once, largest acceleration {np.abs(udot[:, :3]).max():.3f} rad/s^2")
