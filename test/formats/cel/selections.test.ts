import { describe, expect, test } from 'vitest';
import { compileCel } from '../../../formats/cel/compile.ts';
import { requiredSelections } from '../../../formats/cel/selections.ts';

const selected = (expression: string): string[] =>
  requiredSelections(compileCel(expression)).map((path) => path.join('.'));

describe('an expression takes for granted', () => {
  test.each([
    ["self.status.phase == 'Running' && self.status.phase != 'Off'", ['status.phase']],
    ["self.status['phase'] == 'Running'", ['status.phase']],
    ["self.status.conditions[0].type == 'Ready'", ['status.conditions.0.type']],
    ["self.status.conditions.exists(c, c.type == 'Ready' && c.at == self.spec.at)", ['status.conditions', 'spec.at']],
    ['size(self.status.members) > 2 ? self.a.b : !self.c', ['status.members', 'a.b', 'c']],
    [
      "self.status.parts.transformList(i, p, p + self.spec.n) == [1] || {'a': self.x}.a",
      ['status.parts', 'spec.n', 'x'],
    ],
  ])('in %s: %j', (expression, paths) => {
    expect(selected(expression)).toEqual(paths);
  });

  test('no field that it asks about before, in whatever form', () => {
    expect(selected('has(self.status.ready) && self.status.ready.all(r, r)')).toEqual(['status']);
    expect(selected("'ready' in self.status && self.status.ready")).toEqual(['status']);
    expect(selected("self.?status.?phase.orValue('') == 'Running'")).toEqual([]);
    expect(selected("self.status.?phase.orValue('') == 'Running'")).toEqual(['status']);
    expect(selected("self[?'status'].hasValue()")).toEqual([]);
  });

  test('a field only as far as it is the same for every object', () => {
    expect(selected('self.status.zones[self.spec.zone].ready')).toEqual(['status.zones', 'spec.zone']);
  });

  test('nothing of what a macro calls self', () => {
    expect(selected('self.status.members.all(self, self.ready)')).toEqual(['status.members']);
  });
});
