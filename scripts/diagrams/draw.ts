import { instance } from '@viz-js/viz';

/** Colors by the class of a node, an edge or a group, for bright and for dark screens. */
const STYLE = `
svg { font-family: Helvetica, Arial, sans-serif; }
text { fill: #1f2328; stroke: none; font-size: 12px; }
.edge text { font-size: 10.5px; }
.node path, .node polygon, .node ellipse { fill: #f6f8fa; stroke: #59636e; }
.edge path { stroke: #59636e; }
.edge polygon { fill: #59636e; stroke: #59636e; }
.edge text, .note text { fill: #59636e; }
.node polyline { stroke: #c8d1da; }
.cluster path, .cluster polygon { fill: none; stroke: #c8d1da; }
.main path, .main polygon { fill: #ddf4ff; stroke: #0969da; }
.sealed path, .sealed polygon { fill: #dafbe1; stroke: #1a7f37; }
.refused path, .refused polygon { fill: #ffebe9; stroke: #cf222e; }
.plain path, .plain polygon { fill: none; stroke: none; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.node path, .node polygon, .node ellipse { fill: #161b22; stroke: #9198a1; }
.edge path { stroke: #9198a1; }
.edge polygon { fill: #9198a1; stroke: #9198a1; }
.edge text, .note text { fill: #9198a1; }
.node polyline { stroke: #3d444d; }
.cluster path, .cluster polygon { stroke: #3d444d; }
.main path, .main polygon { fill: #0c2d6b; stroke: #4493f8; }
.sealed path, .sealed polygon { fill: #033a16; stroke: #3fb950; }
.refused path, .refused polygon { fill: #67060c; stroke: #f85149; }
}
`;

/** What holds for every diagram: round boxes, and text a little smaller than its room, since fonts differ in width. */
const DEFAULTS = `
  bgcolor="transparent"; fontname="Helvetica"; fontsize=13; pad=0.15; nodesep=0.3; ranksep=0.4;
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=13, margin="0.2,0.1"];
  edge [fontname="Helvetica", fontsize=11, arrowsize=0.7];
`;

/**
 * Draws a graph in the DOT language of Graphviz as SVG, which shows its text as text and has no script. `title` says
 * what it shows to whoever does not see it.
 */
export async function drawn(dot: string, title: string): Promise<string> {
  const viz = await instance();
  const graph = dot.replace(/\{/, `{${DEFAULTS}`);
  const svg = viz.renderString(graph, { format: 'svg', engine: 'dot' });
  const whole = svg.slice(svg.indexOf('<svg'));
  const plain = whole
    .replace(/<!--[\s\S]*?-->\n?/g, '')
    .replace(/<title>[\s\S]*?<\/title>\n?/g, '')
    .replace(/ xlink:title="[^"]*"/g, '')
    .replace(/ font-family="[^"]*"/g, '');
  const [head = ''] = /^<svg[^>]*>/.exec(plain) ?? [];
  return `${head.replace('<svg', '<svg role="img"')}\n<title>${escaped(title)}</title>\n<style>${STYLE}</style>${plain.slice(head.length)}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
