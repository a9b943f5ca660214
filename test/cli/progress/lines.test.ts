import { describe, expect, test } from 'vitest';
import { progressOf } from '../../../cli/progress/index.ts';
import type { Event } from '../../../lib/index.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { shownSink } from '../../support/shown-sink.ts';

const MiB = 1024 * 1024;

/** A view of lines on what is not a terminal, its clock, and what it has written. */
function lines() {
  const clock = fakeClock();
  const sink = shownSink({ isTTY: false });
  const view = progressOf('lines', sink, {}, clock);
  /** Moves bytes of a step at a steady rate, ten times a second. */
  const move = (step: string, seconds: number, total: number): void => {
    for (let tenth = 1; tenth <= 10 * seconds; tenth += 1) {
      clock.pass(100);
      view.onEvent({ type: 'progress', step, done: Math.round((total * tenth) / (10 * seconds)), total });
    }
  };
  return { ...view, clock, move, written: sink.lines };
}

const verify: Event = { type: 'step', step: 'verify', subject: 'shop-1.0.0.iso' };

describe('progress in lines', () => {
  test('tells each step, and nothing of bytes that move in less than a second', () => {
    const { onEvent, end, move, written } = lines();
    onEvent(verify);
    move('verify', 0.9, 100 * MiB);
    end();
    expect(written()).toEqual(['verify   shop-1.0.0.iso']);
  });

  test('tells each tenth of bytes with their rate and the time that is left, and in the end how long it took', () => {
    const { onEvent, end, move, written } = lines();
    onEvent(verify);
    move('verify', 20, 1000 * MiB);
    end();
    expect(written()).toEqual([
      'verify   shop-1.0.0.iso',
      'verify    10 %  100.0 MiB of 1000.0 MiB  50.0 MiB/s  after 2 s',
      'verify    20 %  200.0 MiB of 1000.0 MiB  50.0 MiB/s  20 s left  after 4 s',
      'verify    30 %  300.0 MiB of 1000.0 MiB  50.0 MiB/s  15 s left  after 6 s',
      'verify    40 %  400.0 MiB of 1000.0 MiB  50.0 MiB/s  15 s left  after 8 s',
      'verify    50 %  500.0 MiB of 1000.0 MiB  50.0 MiB/s  10 s left  after 10 s',
      'verify    60 %  600.0 MiB of 1000.0 MiB  50.0 MiB/s  8 s left  after 12 s',
      'verify    70 %  700.0 MiB of 1000.0 MiB  50.0 MiB/s  6 s left  after 14 s',
      'verify    80 %  800.0 MiB of 1000.0 MiB  50.0 MiB/s  4 s left  after 16 s',
      'verify    90 %  900.0 MiB of 1000.0 MiB  50.0 MiB/s  2 s left  after 18 s',
      'verify   100 %  1000.0 MiB of 1000.0 MiB  50.0 MiB/s  after 20 s',
      'done     in 20 s: verify 1000.0 MiB at 50.0 MiB/s',
    ]);
  });

  test('tells of fast bytes once a second at most, and of slow ones every ten seconds', () => {
    const fast = lines();
    fast.onEvent(verify);
    fast.move('verify', 3, 1000 * MiB);
    expect(fast.written().map((line) => line.slice(9, 14))).toEqual(['shop-', ' 33 %', ' 66 %', '100 %']);
    const slow = lines();
    slow.onEvent(verify);
    slow.move('verify', 300, 1000 * MiB);
    const shares = slow
      .written()
      .slice(1)
      .map((line) => Number.parseInt(line.slice(9), 10));
    expect(shares.slice(0, 6)).toEqual([3, 6, 9, 10, 13, 16]);
  });

  test('says every ten seconds what is at work, where nothing else is reported', () => {
    const { onEvent, clock, written } = lines();
    onEvent({ type: 'step', step: 'render', subject: 'helm web', number: 2, of: 3 });
    clock.pass(25_000);
    onEvent({ type: 'notice', message: 'that takes long' });
    clock.pass(10_000);
    expect(written()).toEqual([
      'render   helm web (2 of 3)',
      'render   helm web (2 of 3)  after 10 s',
      'render   helm web (2 of 3)  after 20 s',
      'note: that takes long',
      'render   helm web (2 of 3)  after 35 s',
    ]);
  });

  test('says of components when they are ready, and every ten seconds what each open one waits for', () => {
    const { onEvent, end, clock, written } = lines();
    const come = (component: string, state: 'pending' | 'applying' | 'waiting' | 'ready', reason?: string): void =>
      onEvent({
        type: 'component',
        solution: 'shop',
        version: '1.0.0',
        component,
        state,
        ...(reason ? { reason } : {}),
      });
    for (const component of ['base', 'web', 'jobs']) come(component, 'pending');
    onEvent({ type: 'step', step: 'apply', subject: 'shop 1.0.0, base' });
    come('base', 'applying');
    clock.pass(2500);
    come('base', 'ready');
    come('web', 'applying');
    come('web', 'waiting', 'Deployment shop/web: 0 of 1 replicas are ready');
    clock.pass(11_000);
    come('web', 'ready');
    end();
    expect(written()).toEqual([
      'apply    shop 1.0.0, base',
      'ready    shop 1.0.0, base after 2.5 s',
      'wait     1 of 3 components are ready  after 13 s',
      'wait     shop, web: Deployment shop/web: 0 of 1 replicas are ready  after 10 s',
      'ready    shop 1.0.0, web after 11 s',
      'done     in 14 s',
    ]);
  });

  test('times anew what comes after a question, and after a result', () => {
    const { onEvent, pause, end, clock, written } = lines();
    onEvent(verify);
    clock.pass(5000);
    pause();
    clock.pass(60_000);
    onEvent({ type: 'step', step: 'load', subject: 'a' });
    clock.pass(12_000);
    end();
    clock.pass(60_000);
    end();
    expect(written().at(-1)).toBe('done     in 12 s');
    onEvent({ type: 'step', step: 'load', subject: 'b' });
    clock.pass(9000);
    end();
    expect(written().at(-1)).toBe('load     b');
  });

  test('says nothing only because time passes, where a command runs until it is stopped', () => {
    const { onEvent, endure, end, clock, written } = lines();
    onEvent(verify);
    endure();
    onEvent({ type: 'step', step: 'wait', subject: 'another leads' });
    clock.pass(3_600_000);
    end();
    expect(written()).toEqual(['verify   shop-1.0.0.iso', 'wait     another leads']);
  });

  test('is silent once a failure is reported', () => {
    const { onEvent, stop, clock, written } = lines();
    onEvent(verify);
    stop();
    clock.pass(60_000);
    onEvent({ type: 'step', step: 'remove', subject: 'what is left' });
    expect(written()).toEqual(['verify   shop-1.0.0.iso']);
  });

  test('tells notices alone where no progress is wanted', () => {
    const clock = fakeClock();
    const sink = shownSink({ isTTY: false });
    const { onEvent, end } = progressOf('none', sink, {}, clock);
    onEvent(verify);
    onEvent({ type: 'notice', subject: 'a', message: 'b…' });
    clock.pass(60_000);
    end();
    expect(sink.lines()).toEqual(['note: a: b…']);
  });

  test('has no character but those of ASCII, where the locale has no others', () => {
    const sink = shownSink({ isTTY: false, isAscii: true });
    progressOf('lines', sink, {}, fakeClock()).onEvent({ type: 'notice', message: 'sha256:12…' });
    expect(sink.lines()).toEqual(['note: sha256:12...']);
  });
});
