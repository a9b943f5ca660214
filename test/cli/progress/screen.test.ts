import { describe, expect, test } from 'vitest';
import type { Sink } from '../../../cli/io.ts';
import { progressOf } from '../../../cli/progress/index.ts';
import { columnsOf } from '../../../cli/view/wrap.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { shownSink } from '../../support/shown-sink.ts';

const MiB = 1024 * 1024;
const image = 'registry.example.com/guestbook/web:1.1.0-with-a-tag-that-is-longer-than-anybody-wants';

/** A bar on a terminal, its clock, and what it shows. */
function bar(like: Partial<Sink> = {}, env: Record<string, string> = { NO_COLOR: '1' }) {
  const clock = fakeClock();
  const sink = shownSink(like);
  return { ...progressOf('bar', sink, env, clock), clock, shown: () => sink.shown(), written: sink.lines };
}

/** Loads images at a steady rate for some seconds. */
function load({ onEvent, clock }: ReturnType<typeof bar>, seconds: number): void {
  onEvent({ type: 'step', step: 'load', subject: image, number: 3, of: 12 });
  for (let tenth = 1; tenth <= 10 * seconds; tenth += 1) {
    clock.pass(100);
    onEvent({ type: 'progress', step: 'load', done: 10 * tenth * MiB, total: 1000 * MiB });
  }
}

/** Brings up a Solution of some components, as far as it comes in three quarters of a minute. */
function bringUp({ onEvent, clock }: ReturnType<typeof bar>): void {
  const of = { type: 'component', solution: 'guestbook', version: '1.1.0' } as const;
  const components = { base: [], database: ['base'], web: ['database'], cache: ['base'], report: ['web', 'cache'] };
  for (const [component, after] of Object.entries(components)) {
    onEvent({ ...of, component, state: 'pending', ...(after.length === 0 ? {} : { after }) });
  }
  onEvent({ type: 'step', step: 'apply', subject: 'guestbook 1.1.0, base' });
  onEvent({ ...of, component: 'base', state: 'applying' });
  clock.pass(5000);
  onEvent({ ...of, component: 'base', state: 'ready' });
  onEvent({ ...of, component: 'database', state: 'applying' });
  clock.pass(1000);
  onEvent({ ...of, component: 'cache', state: 'applying' });
  onEvent({ ...of, component: 'cache', state: 'waiting', reason: 'Deployment guestbook/cache: 0 of 1 are ready' });
  clock.pass(39_000);
  const reason = `StatefulSet guestbook/database: Pod guestbook/database-0: container postgres: image ${image} cannot be pulled: the registry does not have it (404)`;
  onEvent({ ...of, component: 'database', state: 'waiting', reason });
}

describe('progress on a terminal', () => {
  test('shows what is at work, how far its bytes are, their rate, the time that is left, and the time so far', () => {
    const view = bar();
    load(view, 6.2);
    expect(view.shown()).toEqual([
      'load     registry.example.com/guestbook/web:1.1.0-with-a-tag-tha…  3 of 12  6 s',
      '         ██████████░░░░░░  62 %  620.0 MiB of 1000.0 MiB  100.0 MiB/s  4 s left',
    ]);
  });

  test('is narrow where the terminal is: what a reader can do without goes first', () => {
    const shown = [60, 40, 30, 22].map((columns) => {
      const view = bar({ columns });
      load(view, 6.2);
      return view.shown()[1];
    });
    expect(shown).toEqual([
      '          62 %  620.0 MiB of 1000.0 MiB  4 s left',
      '          62 %  4 s left',
      '          62 %  4 s left',
      '          62 %',
    ]);
  });

  test('has no character but those of ASCII, where the locale has no others', () => {
    const view = bar({ isAscii: true });
    load(view, 6.2);
    expect(view.shown()).toEqual([
      'load     registry.example.com/guestbook/web:1.1.0-with-a-tag-t...  3 of 12  6 s',
      '         ##########------  62 %  620.0 MiB of 1000.0 MiB  100.0 MiB/s  4 s left',
    ]);
    bringUp(view);
    expect(view.shown().join('\n')).toMatch(/^[ -~\n]*$/);
  });

  test('goes on to tell the time while nothing else happens', () => {
    const view = bar();
    view.onEvent({ type: 'step', step: 'render', subject: 'helm web' });
    view.clock.pass(75_000);
    expect(view.shown()).toEqual([`render   helm web${' '.repeat(52)}1 min 15 s`]);
  });

  test('shows components in their order, each with its state, how long that takes, and what it waits for', () => {
    const view = bar();
    load(view, 10);
    bringUp(view);
    expect(view.shown()).toEqual([
      'apply    1 of 5 components are ready                                       55 s',
      'so far   load 1000.0 MiB at 100.0 MiB/s',
      '  ready             5 s  base',
      '  waiting          40 s  database',
      '            StatefulSet guestbook/database: Pod guestbook/database-0: container',
      '            postgres: image registry.example.com/guestbook/web:1.1.0-with-a-ta…',
      '  pending                web       after database',
      '  waiting          39 s  cache     Deployment guestbook/cache: 0 of 1 are ready',
      '  pending                report    after web, cache',
    ]);
  });

  test.each([
    [80, 24],
    [80, 9],
    [80, 7],
    [80, 5],
    [80, 3],
    [40, 24],
    [20, 10],
    [200, 50],
  ])('fits a terminal of %i columns and %i lines', (columns, rows) => {
    const view = bar({ columns, rows });
    load(view, 10);
    bringUp(view);
    expect(view.shown().length).toBeLessThan(Math.max(rows, 4));
    for (const row of view.shown()) expect(columnsOf(row)).toBeLessThanOrEqual(columns - 1);
  });

  test('tells those that are ready, and then those whose turn has not come, together where there is no room', () => {
    const view = bar({ rows: 6 });
    bringUp(view);
    expect(view.shown().slice(1)).toEqual([
      '  ready                  1 component',
      '  waiting          40 s  database  StatefulSet guestbook/database: Pod guestbo…',
      '  waiting          39 s  cache     Deployment guestbook/cache: 0 of 1 are ready',
      '  pending                2 components',
    ]);
  });

  test('keeps how far each component has come where a failure follows, and removes all else', () => {
    const failed = bar();
    bringUp(failed);
    failed.stop();
    expect(failed.written()[0]).toContain('1 of 5 components are ready');
    const early = bar();
    load(early, 2);
    early.stop();
    expect([early.shown(), early.written()]).toEqual([[], []]);
  });

  test('ends with how long it took, and what was moved', () => {
    const view = bar();
    load(view, 10);
    view.end();
    expect([view.shown(), view.written()]).toEqual([[], ['done     in 10 s: load 1000.0 MiB at 100.0 MiB/s']]);
  });

  test('has colours for states where the terminal has some', () => {
    const view = bar({}, { FORCE_COLOR: '1' });
    bringUp(view);
    expect(view.shown().find((row) => row.includes('base'))).toContain('\u001b[32mready');
    expect(view.shown().every((row) => columnsOf(row) < 80)).toBe(true);
  });

  test('shows of names nothing that a terminal obeys', () => {
    const view = bar();
    view.onEvent({ type: 'step', step: 'load', subject: 'a\u001b[2Jb\n' });
    expect(view.shown()[0]).toMatch(/^load {5}a\\u001b\[2Jb\\u000a +0 s$/);
  });
});
