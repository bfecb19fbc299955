// Triangles with edges short enough to bend.

/// Every edge longer than `longest` is halved, again and again until none is or there are too many triangles. Whether an
/// edge is halved depends on the edge alone, so that neighbours still fit together. Nine numbers a triangle.
export function divided_triangles(triangles: Float32Array, longest: number, most: number): Float32Array {
  if (triangles.length / 9 >= most) return triangles.slice();
  let now = Array.from(triangles);
  while (now.length / 9 < most) {
    const next = halved(now, longest);
    if (next.length === now.length) break;
    now = next;
  }
  return new Float32Array(now);
}

function halved(triangles: number[], longest: number): number[] {
  const result: number[] = [];
  for (let at = 0; at < triangles.length; at += 9) {
    let corners = [0, 1, 2].map((k) => triangles.slice(at + 3 * k, at + 3 * k + 3));
    let long = corners.map((corner, k) => distance(corner, corners[(k + 1) % 3]!) > longest); // edge k goes from corner k
    const count = long.filter(Boolean).length;
    // so that with one long edge it is the first, with two the short one is the last
    const first = count === 1 ? long.indexOf(true) : count === 2 ? (long.indexOf(false) + 1) % 3 : 0;
    corners = [0, 1, 2].map((k) => corners[(k + first) % 3]!);
    long = [0, 1, 2].map((k) => long[(k + first) % 3]!);
    const [a, b, c] = corners as [number[], number[], number[]];
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    if (count === 0) result.push(...a, ...b, ...c);
    else if (count === 1) result.push(...a, ...ab, ...c, ...ab, ...b, ...c);
    else if (count === 2) result.push(...ab, ...b, ...bc, ...a, ...ab, ...bc, ...a, ...bc, ...c);
    else result.push(...a, ...ab, ...ca, ...ab, ...b, ...bc, ...ca, ...bc, ...c, ...ab, ...bc, ...ca);
  }
  return result;
}

const distance = (a: number[], b: number[]) => Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
const middle = (a: number[], b: number[]) => a.map((x, k) => (x + b[k]!) / 2);
