import { entriesOf, fieldOf } from './problems.ts';

/**
 * Returns whether labels fit a requirement of a selector (apimachinery, LabelSelectorRequirement); one that is not
 * understood counts as one that does.
 */
export function mayMatch(expression: unknown, labels: unknown): boolean {
  const key = fieldOf(expression, 'key');
  if (typeof key !== 'string') return true;
  const value = fieldOf(labels, key);
  const values = entriesOf(fieldOf(expression, 'values'));
  switch (fieldOf(expression, 'operator')) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return true;
  }
}
