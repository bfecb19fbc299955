// Under the picture while it shows a mode: play, amplitude, decay, and what is drawn how large.
import { el, icon_button, icons, set_icon } from "../dom";
import { brief } from "../units";
import { mode_name } from "./data";
import { largest_share, type ModePlayer } from "./player";
import { mode_text } from "./words";

export function mode_bar(player: ModePlayer): HTMLElement {
  const play = icon_button(icons.play, "Play", () => player.toggle());
  play.classList.add("play");
  const slider = el("input", {
    class: "slider",
    set: {
      type: "range",
      min: 0,
      max: largest_share,
      step: "any",
      value: player.share,
      "aria-label": "Amplitude",
    },
  });
  slider.addEventListener("input", () => player.set_share(Number(slider.value)));
  const decay = el("input", { set: { type: "checkbox", checked: player.decays } });
  decay.addEventListener("change", () => player.set_decays(decay.checked));
  const share = el("span", { class: "time" });

  player.changed.add(() => {
    set_icon(play, player.playing ? icons.pause : icons.play, player.playing ? "Pause" : "Play");
    const { size } = player;
    share.textContent = size > 0 ? `${brief((100 * player.amplitude) / size, 2)} %` : "";
    slider.setAttribute("aria-valuetext", share.textContent);
  });
  return el(
    "footer",
    { class: "transport", set: { role: "toolbar", "aria-label": "Mode" } },
    play,
    el("span", { class: "quiet name" }, "Amplitude"),
    el("div", { class: "track" }, slider),
    share,
    el(
      "label",
      { class: "choice", title: "Let the amplitude decay or grow as the mode's does; else it is held" },
      decay,
      "Decay",
    ),
  );
}

/// Over the picture: which mode it is, and how large and how fast it is drawn.
export function mode_caption(player: ModePlayer): HTMLElement {
  const caption = el("div", { class: "mode-caption", set: { hidden: true, "aria-live": "polite" } });
  player.changed.add(() => {
    const { mode } = player;
    caption.hidden = !player.shown || !mode;
    if (!mode || !player.shown) return;
    caption.replaceChildren(
      el("strong", {}, `${mode_name(player.data.analysis.modes, player.chosen)}: ${mode_text(mode)}`),
      el("span", {}, drawn_text(player)),
    );
  });
  return caption;
}

/// "drawn amplitude 0.31 m on boom, 5 % of the craft's size, turns up to 5.2°; 0.3 × real time"
function drawn_text(player: ModePlayer): string {
  const mode = player.mode!;
  const { scene } = player.data.analysis;
  const on = scene?.bodies[mode.body]?.name;
  const turned = (mode.rotation * player.amplitude * 180) / Math.PI;
  const parts = [
    `drawn amplitude ${brief(player.amplitude, 2)} m${on ? ` on ${on}` : ""}, ` +
      `${brief((100 * player.amplitude) / player.size, 2)} % of the craft's size` +
      (turned > 0.05 ? `, turns up to ${brief(turned, 2)}°` : ""),
  ];
  const { speed } = player;
  if (speed === null) {
    parts.push("does not oscillate: swung to be seen");
  } else {
    parts.push(Math.abs(Math.log(speed)) < 0.02 ? "in real time" : `${brief(speed, 2)} × real time`);
    if (!player.decays && mode.eigenvalue[0] !== 0) parts.push("amplitude held");
  }
  return parts.join("; ");
}
