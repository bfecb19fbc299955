// The picture: renderer, camera, light, and what is drawn when. It draws only when something has changed.
import {
  AmbientLight,
  Box3,
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
import { triad } from "./arrows";
import type { Craft, Layer } from "./craft";
import { Viewpoint, type Frame } from "./frames";
import { Sharpness } from "./sharpness";
import { Trails, trail_points } from "./trails";

export class View {
  readonly element: HTMLElement;
  readonly trails: Trails;
  readonly viewpoint = new Viewpoint();
  readonly canvas: HTMLCanvasElement;
  drawn = 0; // pictures so far
  readonly painted = new Watchers();
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly stage = new Group(); // turned and moved into the reader's frame
  private readonly corner = new World(); // the world's axes, in a corner
  private readonly corner_camera = new PerspectiveCamera(30, 1, 0.1, 10);
  private readonly camera: PerspectiveCamera;
  private readonly controls: OrbitControls;
  private readonly sunlight = new DirectionalLight(0xffffff, 2.2);
  private readonly labels: HTMLElement[]; // of the directions
  private readonly letters: HTMLElement[]; // of the world's axes
  private readonly tip = el("div", { class: "tip", set: { hidden: true } });
  private readonly point = new Vector3();
  private readonly sharpness = new Sharpness();
  private pending = false; // a picture is asked for
  private placed = false; // the camera has its first place

  /// Throws where the browser has no WebGL.
  constructor(
    readonly craft: Craft,
    private readonly ghost: Craft | null,
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

    this.labels = craft.directions.map((d) => el("span", { class: "tag", set: { style: `color:${d.color}` } }, d.name));
    this.letters = ["x", "y", "z"].map((letter) => el("span", { class: "tag small quiet" }, letter));
    this.element = el("div", { class: "canvas" }, this.canvas, ...this.labels, ...this.letters, this.tip);
    new ResizeObserver(() => this.resize()).observe(this.element);
    clock.moved.add(() => this.request());
    clock.changed.add(() => this.request());
    this.canvas.addEventListener("pointermove", (event) => this.name_under(event));
    this.canvas.addEventListener("pointerleave", () => (this.tip.hidden = true));
  }

  /// Looks at the middle of all bodies as they are now, from a distance at which they fill the picture.
  reset_camera(): void {
    this.draw();
    const box = new Box3();
    for (const body of this.craft.bodies) box.expandByObject(body.children[0]!);
    if (box.isEmpty()) box.setFromCenterAndSize(new Vector3(), new Vector3().setScalar(this.craft.scene.radius));
    const centre = box.getCenter(new Vector3());
    const toward = new Vector3(0.53, -0.73, 0.43).normalize();
    const right = new Vector3().crossVectors(this.camera.up, toward).normalize();
    const up = new Vector3().crossVectors(toward, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360) * 0.8; // some room at the borders
    let distance = this.craft.scene.radius / 10;
    for (let k = 0; k < 8; ++k) {
      const corner = new Vector3(
        k & 1 ? box.max.x : box.min.x,
        k & 2 ? box.max.y : box.min.y,
        k & 4 ? box.max.z : box.min.z,
      ).sub(centre);
      const wide = Math.abs(corner.dot(right)) / (tangent * this.camera.aspect);
      const high = Math.abs(corner.dot(up)) / tangent;
      distance = Math.max(distance, corner.dot(toward) + Math.max(wide, high));
    }
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(toward, distance);
    this.controls.update();
    this.request();
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
    if (this.ghost) this.ghost.root.visible = visible;
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
    const ratio = this.sharpness.ratio(this.clock.playing, performance.now());
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
    this.place_labels();
    ++this.drawn;
    this.painted.tell();
  }

  /// The picture of this instant, as a PNG.
  picture(): Promise<Blob | null> {
    this.draw(); // the browser keeps it until this task ends
    return new Promise((done) => this.canvas.toBlob(done, "image/png"));
  }

  /// The other run, with its mass centre where it is relative to this one's.
  private place_ghost(t: number): void {
    if (!this.ghost?.root.visible) return;
    this.ghost.go_to(t);
    this.ghost.motion.centre(this.ghost.root.position).sub(this.craft.motion.centre(this.point));
  }

  private draw_corner(): void {
    const edge = Math.min(84, this.canvas.clientWidth / 5);
    this.corner_camera.position.copy(this.camera.position).sub(this.controls.target).setLength(4.4);
    this.corner_camera.up.copy(this.camera.up);
    this.corner_camera.lookAt(0, 0, 0);
    this.corner.quaternion.copy(this.viewpoint.orientation);
    this.renderer.clearDepth();
    this.renderer.setViewport(4, 4, edge, edge);
    this.renderer.render(this.corner, this.corner_camera);
    this.renderer.setViewport(0, 0, this.canvas.clientWidth, this.canvas.clientHeight);
    this.letters.forEach((letter, k) => {
      this.point
        .set(k === 0 ? 1.2 : 0, k === 1 ? 1.2 : 0, k === 2 ? 1.2 : 0)
        .applyQuaternion(this.viewpoint.orientation);
      this.point.project(this.corner_camera);
      put(letter, 4 + ((this.point.x + 1) / 2) * edge, this.canvas.clientHeight - 4 - ((this.point.y + 1) / 2) * edge);
    });
  }

  private place_labels(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.craft.directions.forEach((direction, k) => {
      const label = this.labels[k]!;
      const shown = direction.arrow.visible;
      label.hidden = !shown;
      if (!shown) return;
      this.point
        .copy(direction.tip)
        .multiplyScalar(1.06)
        .applyQuaternion(this.stage.quaternion)
        .add(this.stage.position);
      this.point.project(this.camera);
      label.hidden = this.point.z > 1;
      put(label, ((this.point.x + 1) / 2) * width, ((1 - this.point.y) / 2) * height);
    });
  }

  private name_under(event: PointerEvent): void {
    if (event.buttons || this.clock.playing) {
      this.tip.hidden = true;
      return;
    }
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left;
    const y = event.clientY - box.top;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((x / box.width) * 2 - 1, 1 - (y / box.height) * 2), this.camera);
    const hit = ray.intersectObjects(this.craft.bodies, true).find((i) => i.object.userData["body"] !== undefined);
    const body = hit && this.craft.scene.bodies[hit.object.userData["body"] as number];
    this.tip.hidden = !body;
    if (!body) return;
    this.tip.textContent = body.name;
    this.tip.style.transform = `translate(${x + 14}px, ${y + 10}px)`;
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
    this.request();
  }
}

/// The middle of a label.
function put(label: HTMLElement, x: number, y: number): void {
  label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
}
