# %% [markdown]
# # The five-body spacecraft of JPL TR 32-1592, in Python
#
# A notebook in plain form: editors with cells (`# %%`), and `jupytext --to ipynb`, show it as one; `python3 five_body.py`
# runs it. The platform slews 50 degrees about both its axes while gas jets hold the attitude.

# %%
import pathlib

import numpy as np

import gyrostat

here = pathlib.Path(__file__).resolve().parent
model = gyrostat.Model.load(here.parent / "five_body" / "five_body.yaml")
print(model)
print("joints:", ", ".join(model.joints))

# %% [markdown]
# ## One flight
#
# Columns are numpy arrays; the ledger says how well energy and momentum balance.

# %%
results = model.simulate(until=60)
theta = np.array([results[f"theta{k}"] for k in (1, 2, 3)])
print("largest attitude errors [mrad]:", np.round(1e3 * np.abs(theta).max(axis=1), 2))
print("jets fired", sum(event.what.startswith("on") for event in results.events), "times")
print("energy balances to", f"{results.ledger['energy'].relative:.0e}")

# %% [markdown]
# ## Equations of motion
#
# Every formulation gives the same accelerations, here of a spacecraft that turns with a bent boom.

# %%
q, u = model.state({"base.omega_x": 0.02, "base.omega_y": -0.01, "pan.rate": 0.05, "boom_x.angle": 0.01})
reference = model.accelerations(q, u)
differences = {}
for formulation in ("augmented_body", "kane", "absolute"):
    other = model.accelerations(q, u, formulation=formulation)
    differences[formulation] = np.abs(other - reference).max() / np.abs(reference).max()
    print(f"{formulation:15} differs from articulated_body by {differences[formulation]:.0e}")
M = model.mass_matrix()
print("mass of the whole [kg]:", round(M[3, 3], 3))

# %% [markdown]
# ## A gain sweep
#
# How much do the jets fire, and how well do they point, for other rate gains? The model is read again with each.

# %%
sweep = {}
for gain in (1.0, 2.0, 4.0):
    flight = model.with_parameters(rate_gain=gain).simulate(until=30)
    fired = sum(event.what.startswith("on") for event in flight.events)
    rms = np.sqrt(np.mean(flight["theta1"] ** 2))
    sweep[gain] = (fired, rms)
    print(f"rate gain {gain:.0f} s: {fired:3d} firings, {1e3 * rms:.2f} mrad rms about x")

# %% [markdown]
# ## A control law in Python
#
# The jets are replaced by torques that Python sets ten times a second: a proportional and derivative law.

# %%
loop = model.simulation(["jet1", "jet2", "jet3"], until=20, record=True)
while loop.time < 20 - 1e-9:
    angles, rates = loop.get(["theta1", "theta2", "theta3"]), loop.get(["bus.omega_x", "bus.omega_y", "bus.omega_z"])
    loop.set_inputs(np.clip(-20 * angles - 60 * rates, -1, 1))
    loop.step(0.1)
controlled = loop.results()
print("largest errors with the law in Python [mrad]:",
      np.round(1e3 * np.array([np.abs(controlled[f"theta{k}"]).max() for k in (1, 2, 3)]), 2))

# %% [markdown]
# ## Linear model
#
# The open loop from the torque about x, with the jets replaced by a gain of zero.

# %%
linear = model.linearize(["bus.torque_x"], ["theta1"], gains={"jet1": 0, "jet2": 0, "jet3": 0})
modes = np.abs(linear.eigenvalues().imag) / (2 * np.pi)
print("flexible modes [Hz]:", np.round(np.unique(np.round(modes[modes > 0.1], 3)), 3))

# %% [markdown]
# ## A campaign
#
# The stiffnesses, the gain and the deadband are not known exactly. 64 flights with dispersed values, each as many records
# as the model says; a measure may be an expression, or a function in Python that sees the columns of a flight.


# %%
def firings(flight):
    """How often jets were switched on, as records show it"""
    jets = np.array([flight[f"jet{k}"] for k in (1, 2, 3)])
    return np.count_nonzero((jets[:, 1:] != 0) & (jets[:, :-1] == 0))


campaign = gyrostat.Campaign.from_dict({
    "model": model,
    "vary": {
        "K_boom": {"lognormal": {"median": 2000, "sigma": 0.3}},
        "rate_gain": {"truncated": {"mean": "2 s", "std": "0.3 s", "low": "1 s", "high": "3 s"}},
        "deadband": {"triangular": {"low": "4 mrad", "mode": "5 mrad", "high": "7 mrad"}},
    },
    "samples": {"count": 64, "method": "sobol", "seed": 7},
    "measure": {"error": {"max": "norm([theta1, theta2, theta3])", "after": 5}, "firings": firings},
    "require": {"error": {"below": "20 mrad", "in": "90 %"}},
})
flights = campaign.run()
error = flights.statistics["error"]
print(f"error: median {1e3 * error.percentile(0.5).value:.2f} mrad, worst {1e3 * error.max:.2f} mrad in flight {error.max_flight}")
print("requirement:", flights.requirements[0].verdict)
print("what matters:", {name: round(s.correlation, 2) for name, s in error.sensitivity.items()})
print(f"firings: {flights.measures['firings'].min():.0f} to {flights.measures['firings'].max():.0f}")

# %% [markdown]
# Any flight can be flown again, with the same bits and a record.

# %%
number = flights.worst("error")[0]
again = flights.replay(number)
print(f"flight {number} again: {1e3 * np.abs(again['theta1']).max():.2f} mrad about x, {again.status}")

# %% [markdown]
# ## The motion
#
# The report page in a frame. In a notebook the last line of the cell shows it.

# %%
view = results.view(height=640)
view
