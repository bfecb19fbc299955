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
# Every formulation gives the same accelerations.

# %%
reference = model.accelerations()
for formulation in ("articulated_body", "augmented_body", "kane"):
    difference = np.abs(model.accelerations(formulation=formulation) - reference).max() / np.abs(reference).max()
    print(f"{formulation:18} differs by {difference:.0e}")
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
# ## The motion
#
# The report page in a frame. In a notebook the last line of the cell shows it.

# %%
view = results.view(height=640)
view
