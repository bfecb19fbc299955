// What state machines, joints and wheels are in over time.
import { index_at, type RunData } from "./data";

export interface PhaseList {
  name: string;
  of: "signal" | "joint" | "wheel";
  number: number; // of ModelSummary.joints or .wheels
  states: string[];
  time: Float64Array; // when each began [s]
  state: Uint32Array; // of `states`
}

export async function phases_of(data: RunData): Promise<PhaseList[]> {
  return Promise.all(
    (data.run.phases ?? []).map(async ({ name, of, number, states, time, state }) => ({
      name,
      of,
      number,
      states,
      time: await data.f64(time),
      state: await data.u32(state),
    })),
  );
}

/// The state at an instant; before the first, that.
export const state_at = ({ time, state }: PhaseList, t: number): number => state[index_at(time, t)] ?? 0;

/// What holds a joint or a wheel, in words; null: nothing does.
export function holding(phases: PhaseList, t: number): string | null {
  const state = state_at(phases, t);
  return state > 0 ? (phases.states[state] ?? null) : null;
}
