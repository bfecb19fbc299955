// The page of a campaign: views of all flights on the left, what they answer on the right, the selection below.
import { el, icon_button, icons } from "../dom";
import { keys_dialog } from "../keyboard";
import type { Campaign } from "../payload";
import { tabs, type Tab } from "../tabs";
import { toggle_theme } from "../theme";
import { count } from "../units";
import { over_time_panel } from "./bands";
import { selection_bar } from "./bar";
import { CampaignData } from "./data";
import { explore } from "./explore";
import { campaign_panel, flights_panel } from "./flights";
import { results_panel } from "./results";
import { Selection } from "./selection";
import { sensitivity_panel } from "./sensitivity";

const keys: [key: string, what: string][] = [
  ["← →", "the flight before, the next one, of those that are selected"],
  ["Esc", "select all flights"],
  ["W", "the worst flight of the first measure"],
  ["1 2 3 ..", "results, over time, sensitivity, flights, campaign"],
  ["T", "light, dark"],
  ["?", "this list"],
];

export async function show_campaign(campaign: Campaign, generator: string, page: HTMLElement): Promise<void> {
  const data = new CampaignData(campaign);
  await data.open();
  const selection = new Selection(data);
  const title = campaign.name || campaign.model_name || campaign.label;
  document.title = `${title} – Gyrostat`;
  const views = explore(data, selection);
  const list: Tab[] = [
    { id: "results", title: "Results", content: results_panel(data, selection) },
    { id: "time", title: "Over time", content: await over_time_panel(data, selection) },
    {
      id: "sensitivity",
      title: "Sensitivity",
      content: sensitivity_panel(data, selection, (input, measure) => views.plot(input, campaign.inputs + measure)),
    },
    { id: "flights", title: "Flights", content: flights_panel(data, selection) },
    { id: "campaign", title: "Campaign", content: campaign_panel(data) },
  ];
  const side = tabs(list, () => {});
  page.classList.add("campaign");
  page.replaceChildren(
    header(title, campaign, generator, side.select),
    el("main", {}, views.element, side.element),
    selection_bar(data, selection, () => side.select("flights")),
  );
  listen_to_keys(data, selection, (k) => list[k] && side.select(list[k].id));
  window.gyrostat = { campaign: data, selection, views };
  document.documentElement.dataset["ready"] = "yes";
}

function listen_to_keys(data: CampaignData, selection: Selection, tab: (k: number) => void): void {
  const worst = (): void => {
    const flight = data.campaign.measures[0]?.worst[0];
    if (flight !== undefined) selection.choose(data.place_of(flight));
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (target.matches("input:not([type=checkbox]), select, textarea, pre")) return;
    const act: Record<string, () => void> = {
      ArrowLeft: () => selection.step(-1),
      ArrowRight: () => selection.step(1),
      Escape: () => selection.clear(),
      w: worst,
      W: worst,
      t: toggle_theme,
      T: toggle_theme,
      "?": show_keys,
    };
    if (/^[1-9]$/.test(event.key)) act[event.key] = () => tab(Number(event.key) - 1);
    const action = act[event.key];
    if (!action || (target.getAttribute("role") === "tab" && event.key.startsWith("Arrow"))) return;
    if (event.key === "Escape" && target.closest("details[open]")) return; // it closes
    event.preventDefault();
    action();
  });
}

function show_keys(): void {
  keys_dialog(
    keys,
    "Points and histograms: drag to select flights, in all views at once. Parallel coordinates: drag along an axis. " +
      "Press a flight to choose it; double click for all flights again.",
  );
}

function header(title: string, campaign: Campaign, generator: string, select: (tab: string) => void): HTMLElement {
  const pill = (text: string, kind: "good" | "bad" | "care", tab: string) =>
    el("button", { class: `pill ${kind}`, set: { type: "button" }, on: { click: () => select(tab) } }, text);
  const finished = campaign.status === "finished";
  const { requirements } = campaign;
  const with_verdict = (verdict: string) => requirements.filter((r) => r.verdict === verdict).length;
  const [broken, open] = [with_verdict("not met"), with_verdict("undecided")];
  const of = requirements.length === 1 ? "requirement" : `of ${requirements.length} requirements`;
  return el(
    "header",
    { class: "top" },
    el("h1", { title }, title),
    el("span", { class: "quiet labels" }, `campaign of ${count(campaign.flights)} flights`),
    el("span", { class: "spring" }),
    pill(finished ? "finished" : "not finished", finished ? "good" : "bad", "campaign"),
    requirements.length > 0 &&
      (broken
        ? pill(requirements.length === 1 ? "requirement not met" : `${broken} ${of} not met`, "bad", "results")
        : open
          ? pill(requirements.length === 1 ? "requirement undecided" : `${open} ${of} undecided`, "care", "results")
          : pill(requirements.length === 1 ? "requirement met" : "requirements met", "good", "results")),
    campaign.failed > 0 && pill(`${count(campaign.failed)} failed`, "care", "flights"),
    campaign.warnings.length > 0 &&
      pill(campaign.warnings.length === 1 ? "1 warning" : `${campaign.warnings.length} warnings`, "care", "campaign"),
    el("span", { class: "quiet generator" }, generator),
    icon_button(icons.theme, "Light or dark (T)", toggle_theme),
    icon_button(icons.help, "Keys (?)", show_keys),
  );
}
