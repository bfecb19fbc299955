// Colours of flights.
import { theme_color } from "../theme";
import { failed, violates } from "./data";

export const chosen_color = () => theme_color("--curve-1");
export const quiet_color = () => theme_color("--flight-quiet");

/// As flights stand: they fulfil the requirements, violate one, or failed.
export function standing_color(standing: number): string {
  return theme_color(standing === failed ? "--curve-4" : standing === violates ? "--flight-bad" : "--accent");
}
