// SPDX-License-Identifier: BSD-3-Clause
// Which way x, y, z and gravity point in the picture.
import type { Camera } from 'three';
import { Quaternion, Vector3 } from 'three';

const kSize = 76;
const kLength = 23; // of an axis [px]
const kAxes: [string, string, Vector3][] = [
  ['x', '#d1495b', new Vector3(1, 0, 0)],
  ['y', '#2f9e6e', new Vector3(0, 1, 0)],
  ['z', '#3b7fc4', new Vector3(0, 0, 1)],
];

function element<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

interface Arm {
  along: Vector3;
  line: SVGLineElement;
  name: SVGTextElement;
  length: number;
}

export class Triad {
  readonly element = element('svg', { class: 'triad', width: kSize, height: kSize, viewBox: `${-kSize / 2} ${-kSize / 2} ${kSize} ${kSize}`, 'aria-hidden': 'true' });
  private readonly arms: Arm[];
  private readonly p = new Vector3();
  private readonly turn = new Quaternion();

  constructor(gravity: Vector3, flat: boolean) {
    this.arms = kAxes.map(([name, colour, along]) => this.arm(name, colour, along, kLength, 2));
    if (gravity.lengthSq() > 0) this.arms.push(this.arm('g', 'var(--faint)', gravity.clone().normalize(), 0.8 * kLength, 1.2, '2 2'));
    // seen along z there is nothing to see of it
    if (flat) this.arms[2].line.remove();
    if (flat) this.arms.splice(2, 1)[0].name.remove();
  }

  private arm(name: string, colour: string, along: Vector3, length: number, width: number, dashes = ''): Arm {
    const line = element('line', { stroke: colour, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-dasharray': dashes });
    const text = element('text', { fill: colour, 'font-size': 11, 'text-anchor': 'middle', 'dominant-baseline': 'central' });
    text.textContent = name;
    this.element.append(line, text);
    return { along, line, name: text, length };
  }

  update(camera: Camera): void {
    this.turn.copy(camera.quaternion).invert();
    for (const { along, line, name, length } of this.arms) {
      this.p.copy(along).applyQuaternion(this.turn);
      const [x, y] = [this.p.x, -this.p.y];
      line.setAttribute('x2', (x * length).toFixed(1));
      line.setAttribute('y2', (y * length).toFixed(1));
      const far = length + 9;
      name.setAttribute('x', (x * far).toFixed(1));
      name.setAttribute('y', (y * far).toFixed(1));
      // an axis towards the eye or away from it is a dot without a name
      name.style.opacity = Math.hypot(x, y) < 0.25 ? '0' : '1';
    }
  }
}
