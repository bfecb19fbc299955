// The picture: renderer, camera, light, and what is drawn when. It draws only when something has changed.
import {
  AmbientLight,
  DirectionalLight,
  Group,
  HemisphereLight,
  PerspectiveCamera,
  Raycaster,
  Scene as World,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Clock } from "../clock";
import { el } from "../dom";
import { Watchers } from "../watchers";
import { theme_color } from "../theme";
import { triad } from "./arrows";
import { framing_of, go_to_framing, move_by_key } from "./camera";
import type { Craft, Layer } from "./craft";
import type { Coloring } from "./deformation";
import { extent } from "./extent";
import { Viewpoint, type Frame } from "./frames";
import { Labels } from "./labels";
import type { ModePoses } from "./mode_poses";
import type { Legend } from "./legend";
import { Sharpness } from "./sharpness";
import { Trails, trail_points } from "./trails";

const most_distance = 12; // of the camera for the whole motion, to that for an instant

export class View {
  readonly element: HTMLElement;
  readonly trails: Trails;
  readonly viewpoint = new Viewpoint();
  readonly canvas: HTMLCanvasElement;
  drawn = 0; // pictures so far
  readonly painted = new Watchers();
  legend: Legend | null = null; // of colours; it is in pictures too
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly stage = new Group(); // turned and moved into the reader's frame
  private readonly corner = new World(); // the world's axes, in a corner
  private readonly corner_camera = new PerspectiveCamera(30, 1, 0.1, 10);
  private readonly camera: PerspectiveCamera;
  private readonly controls: OrbitControls;
  private readonly sunlight = new DirectionalLight(0xffffff, 2.2);
  private readonly labels: Labels;
  private readonly point = new Vector3();
  private readonly sharpness = new Sharpness();
  private pending = false; // a picture is asked for
  private placed = false; // the camera has its first place
  private ghost_wanted = true;
  private moving = false; // in a mode

  /// Throws where the browser has no WebGL.
  constructor(
    readonly craft: Craft,
    readonly ghost: Craft | null,
    private readonly clock: Clock,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.autoClear = false;
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute("aria-label", "The spacecraft in three dimensions: drag to turn, wheel to come closer");
    this.canvas.tabIndex = 0;

    const size = craft.scene.radius;
    this.camera = new PerspectiveCamera(35, 1, size / 100, size * 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.request());

    this.world.add(new AmbientLight(0xffffff, 0.55), new HemisphereLight(0xffffff, 0x667788, 1.1), this.stage);
    const { sun } = craft.scene;
    this.sunlight.position.set(...(sun ?? [1.5, -2, 3]));
    if (sun) this.stage.add(this.sunlight, this.sunlight.target);
    else this.camera.add(this.sunlight);
    this.world.add(this.camera);
    this.stage.add(craft.root);
    if (ghost) this.stage.add(ghost.root);
    this.trails = new Trails(this.world, trail_points(craft));
    this.corner.add(triad(1));

    this.labels = new Labels(craft);
    this.element = el("div", { class: "canvas" }, this.canvas, ...this.labels.elements);
    new ResizeObserver(() => this.resize()).observe(this.element);
    clock.moved.add(() => this.request());
    clock.changed.add(() => {
      this.labels.show_tip(null);
      this.request();
    });
    this.canvas.addEventListener("pointermove", (event) => this.name_under(event));
    this.canvas.addEventListener("pointerleave", () => this.labels.show_tip(null));
    this.canvas.addEventListener("webglcontextrestored", () => this.request());
  }

  /// So that the bodies fill the picture and stay in it during the whole run, while the mass centre is followed. Where
  /// they go so far that little would be seen of them, as they are now.
  reset_camera(): void {
    const { craft, viewpoint } = this;
    const least = craft.scene.radius / 10;
    const now = framing_of(this.camera, extent(craft, viewpoint, this.clock.t), least);
    const whole = framing_of(this.camera, extent(craft, viewpoint, null), least);
    const framing = whole.distance < most_distance * now.distance ? whole : now;
    this.draw(); // moves the motion back to the present
    if (!viewpoint.follow && viewpoint.frame.kind !== "body") framing.centre.add(viewpoint.position);
    go_to_framing(this.camera, this.controls, framing);
    this.request();
  }

  /// Says whether the key was one that moves the camera.
  move_by_key(key: string): boolean {
    return move_by_key(key, this.camera, this.controls);
  }

  set_frame(frame: Frame): void {
    this.viewpoint.frame = frame;
    this.renew_trails();
    this.reset_camera();
  }
  set_follow(follow: boolean): void {
    this.viewpoint.follow = follow;
    this.renew_trails();
  }
  set_visible(layer: Layer, visible: boolean): void {
    this.craft.set_visible(layer, visible);
    this.request();
  }
  set_ghost(visible: boolean): void {
    this.ghost_wanted = visible;
    this.request();
  }
  /// A mode about the operating point in place of the run; null: the run. `moving`: it will be changed soon.
  show_mode(mode: ModePoses | null, moving: boolean): void {
    this.craft.mode = mode;
    this.moving = moving;
    this.trails.visible = mode === null;
    this.request();
  }
  /// Of deformations: what is drawn of flexible bodies, and what is attached to them.
  set_exaggeration(factor: number): void {
    this.craft.motion.exaggeration = factor;
    if (this.ghost) this.ghost.motion.exaggeration = factor;
    this.renew_trails();
  }
  set_coloring(coloring: Coloring): void {
    this.craft.set_coloring(coloring);
    this.request();
  }
  renew_trails(): void {
    this.trails.renew(this.craft, this.viewpoint);
    this.request();
  }

  /// One picture, before the browser paints next.
  request(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw(): void {
    const t = this.clock.t;
    const ratio = this.sharpness.ratio(this.clock.playing || this.moving, performance.now());
    if (ratio !== this.renderer.getPixelRatio()) this.renderer.setPixelRatio(ratio);
    this.craft.go_to(t);
    this.viewpoint.look(this.craft.motion);
    this.stage.position.copy(this.viewpoint.position);
    this.stage.quaternion.copy(this.viewpoint.orientation);
    this.place_ghost(t);
    this.trails.go_to(t);
    this.renderer.clear();
    this.renderer.render(this.world, this.camera);
    this.draw_corner();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.labels.place_directions(this.camera, this.stage.quaternion, this.stage.position, width, height);
    ++this.drawn;
    this.painted.tell();
  }

  /// The picture of this instant with its names, as a PNG.
  picture(): Promise<Blob | null> {
    this.draw(); // the browser keeps it until this task ends
    const copy = el("canvas", { set: { width: this.canvas.width, height: this.canvas.height } });
    const pen = copy.getContext("2d")!;
    pen.fillStyle = theme_color("--sky-near");
    pen.fillRect(0, 0, copy.width, copy.height);
    pen.drawImage(this.canvas, 0, 0);
    this.labels.paint(pen, copy.width / this.canvas.clientWidth);
    this.legend?.paint(pen, copy.width / this.canvas.clientWidth, this.canvas.clientWidth, this.canvas.clientHeight);
    return new Promise((done) => copy.toBlob(done, "image/png"));
  }

  /// The other run, where it is relative to this one.
  private place_ghost(t: number): void {
    if (!this.ghost) return;
    this.ghost.root.visible = this.ghost_wanted && !this.craft.mode;
    if (!this.ghost.root.visible) return;
    this.ghost.go_to(t);
    this.ghost.motion.centre(this.ghost.root.position).sub(this.craft.motion.centre(this.point));
  }

  private draw_corner(): void {
    const margin = 4;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const edge = Math.min(84, width / 5);
    this.corner_camera.position.copy(this.camera.position).sub(this.controls.target).setLength(4.4);
    this.corner_camera.up.copy(this.camera.up);
    this.corner_camera.lookAt(0, 0, 0);
    this.corner_camera.updateMatrixWorld();
    this.corner.quaternion.copy(this.viewpoint.orientation);
    this.renderer.clearDepth();
    this.renderer.setViewport(margin, margin, edge, edge);
    this.renderer.render(this.corner, this.corner_camera);
    this.renderer.setViewport(0, 0, width, height);
    this.labels.place_letters(this.corner_camera, this.viewpoint.orientation, edge, margin, height);
  }

  private name_under(event: PointerEvent): void {
    if (event.buttons || this.clock.playing || this.moving) {
      this.labels.show_tip(null);
      return;
    }
    const { craft } = this;
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((x / box.width) * 2 - 1, 1 - (y / box.height) * 2), this.camera);
    ray.params.Line.threshold = 0.006 * craft.scene.radius;
    const bodies = craft.is_visible("bodies") ? craft.bodies : [];
    const hit = ray.intersectObjects(bodies, true).find((i) => i.object.userData["body"] !== undefined);
    let text = hit ? (craft.scene.bodies[hit.object.userData["body"] as number]?.name ?? null) : null;
    let nearest = hit?.distance ?? Infinity;
    for (const marker of craft.markers) {
      if (!marker.object.visible) continue;
      const distance = ray.intersectObject(marker.object, true)[0]?.distance ?? Infinity;
      if (distance < nearest) [text, nearest] = [marker.text, distance];
    }
    this.labels.show_tip(text, x, y);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.fov = this.camera.aspect < 1 ? 35 / Math.sqrt(this.camera.aspect) : 35;
    this.camera.updateProjectionMatrix();
    if (!this.placed) this.reset_camera();
    this.placed = true;
    this.draw(); // at once: a new size has emptied the canvas
  }
}
