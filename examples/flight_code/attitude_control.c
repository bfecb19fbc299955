/* Attitude control of a spacecraft with three reaction wheels, as its computer runs it: ten times a second.
 *
 *   inputs   0..3  attitude quaternion w, x, y, z
 *            4..6  angular velocity, body axes [rad/s]
 *            7..9  wheel rates [rad/s]
 *   outputs  0..2  motor torques on the wheels [N m]
 *            3..5  jets about x, y, z: -1, 0 or 1
 *            6     how often it has been called
 *
 * Points the body's axes along the world's: proportional, derivative and integral. When a wheel has gathered too much
 * momentum, the jet of its axis works against it until there is little left. */
#include <math.h>

#include "gyrostat/signals/plugin.h"

static const double period = 0.1;             /* [s], as the model says */
static const double kp = 2.0, kd = 12.0;      /* [N m/rad], [N m s/rad] */
static const double ki = 0.02;                /* [N m/(rad s)] */
static const double most_torque = 0.2;        /* of a wheel's motor [N m] */
static const double wheel_inertia = 0.02;     /* [kg m^2] */
static const double much = 1.5, little = 0.1; /* momentum of a wheel [N m s] */
static const double jet_torque = 0.05;        /* [N m] */

/* What is remembered from one call to the next. All zero at first. */
struct memory {
  double sum[3]; /* of the errors, times the period [rad s] */
  double jet[3];
  double calls;
};

const unsigned long attitude_control_memory = sizeof(struct memory);

static double limited(double x) { return fmin(fmax(x, -most_torque), most_torque); }

int attitude_control(const gyrostat_call* call) {
  struct memory* m = call->memory;
  const double *q = call->inputs, *omega = q + 4, *wheel_rate = q + 7;
  if (call->input_count != 10 || call->output_count != 7) return 1; /* the model and this code do not fit */

  for (int i = 0; i < 3; ++i) {
    const double error = 2 * (q[0] < 0 ? -q[i + 1] : q[i + 1]); /* [rad], the short way round */
    if (fabs(error) < 0.05) m->sum[i] += period * error;        /* not while it slews */

    const double momentum = wheel_inertia * wheel_rate[i];
    if (fabs(momentum) > much) m->jet[i] = momentum > 0 ? -1 : 1;
    if (fabs(momentum) < little) m->jet[i] = 0;

    const double wanted = -kp * error - kd * omega[i] - ki * m->sum[i]; /* on the body */
    call->outputs[i] = limited(jet_torque * m->jet[i] - wanted);        /* on the wheel: the body gets the opposite */
    call->outputs[i + 3] = m->jet[i];
  }
  m->calls += 1;
  call->outputs[6] = m->calls;
  return 0;
}
