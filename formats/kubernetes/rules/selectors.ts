import { mayMatch } from '../label-requirement.ts';
import { entriesOf, type FieldPlace, fieldOf, isFields, type ReportProblem } from '../problems.ts';

/** Reports a workload whose selector is empty, or does not match the labels of its template. */
export function checkSelector(spec: unknown, path: FieldPlace, report: ReportProblem): void {
  const selector = fieldOf(spec, 'selector');
  if (!isFields(selector)) return;
  const labels = fieldOf(fieldOf(fieldOf(spec, 'template'), 'metadata'), 'labels');
  const matchLabels = fieldOf(selector, 'matchLabels');
  const wanted = isFields(matchLabels) ? Object.entries(matchLabels) : [];
  const expressions = entriesOf(fieldOf(selector, 'matchExpressions'));
  if (wanted.length === 0 && expressions.length === 0) report([...path, 'selector'], 'selects nothing');
  for (const [key, value] of wanted) {
    if (fieldOf(labels, key) === value || (value === '' && fieldOf(labels, key) === '')) continue;
    report([...path, 'selector', 'matchLabels', key], 'does not match the labels of the template');
  }
  for (const [index, expression] of expressions.entries()) {
    if (mayMatch(expression, labels)) continue;
    const place = [...path, 'selector', 'matchExpressions', index];
    report(place, 'does not match the labels of the template');
  }
}
