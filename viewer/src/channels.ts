// SPDX-License-Identifier: BSD-3-Clause
// Channels by name, as model files and the command line write them: group.item.quantity.component.
import type { Channel, Quantity, Run } from './run';

/// The parts of its name that exist.
export function channelName({ quantity, item, component }: Channel): string {
  return [quantity.group, quantity.items[item], quantity.name, quantity.components[component]]
    .filter((part) => part !== undefined)
    .join('.');
}

function patternOf(text: string): RegExp {
  const literal = text.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}

function* allOf(quantities: Quantity[]): Generator<Channel> {
  for (const quantity of quantities)
    for (let item = 0; item < Math.max(1, quantity.items.length); ++item)
      for (let component = 0; component < quantity.perItem; ++component) yield { quantity, item, component };
}

/// Those that a name or a pattern with * and ? stands for; the name of a part stands for all that
/// begins with it.
export function channelsOf(run: Run, wanted: string): Channel[] {
  const all = [...allOf(run.quantities)];
  const matching = (pattern: string) => {
    const form = patternOf(pattern);
    return all.filter((c) => {
      const name = channelName(c);
      return name === pattern || form.test(name);
    });
  };
  const found = matching(wanted);
  return found.length > 0 ? found : matching(`${wanted}.*`);
}

const kNot = 'not ';

/// Those that a list of names and patterns stands for; "not PATTERN" takes away from those before it,
/// or from all if it is the first.
export function channelsOfAll(run: Run, wanted: string[]): Channel[] {
  let chosen = new Map<string, Channel>();
  wanted.forEach((text, i) => {
    if (!text.startsWith(kNot)) {
      for (const c of channelsOf(run, text)) chosen.set(channelName(c), c);
      return;
    }
    if (i === 0) chosen = new Map([...allOf(run.quantities)].map((c) => [channelName(c), c]));
    for (const c of channelsOf(run, text.slice(kNot.length))) chosen.delete(channelName(c));
  });
  return [...chosen.values()];
}

/// The same channel of another run, if it has one.
export function counterpart(run: Run, { quantity, item, component }: Channel): Channel | null {
  const other = run.find(quantity.group, quantity.name);
  if (!other) return null;
  const at = quantity.items.length === 0 ? 0 : other.items.indexOf(quantity.items[item]);
  if (at < 0 || component >= other.perItem) return null;
  return { quantity: other, item: at, component };
}
