/**
 * In the frame: reads a flow, draws it as SVG, and says over the port how high it is, or why it cannot be drawn. A line is
 * `a -> b -> c`, or `a -> b: what goes along`; `#` begins a comment. What runs forward stands in ranks, from left to right
 * where there is room and else downwards; what runs back goes around.
 */
(() => {
  const PAD = 12;
  const HEIGHT = 36;
  const GAP = 18;
  const AWAY = 26;

  window.addEventListener('message', ({source, data, ports: [port]}) => {
    if (source !== window.parent || !port) return;
    let drawn = -1;
    new window.ResizeObserver(() => {
      const {clientWidth} = document.documentElement;
      if (clientWidth === drawn) return;
      drawn = clientWidth;
      try {
        port.postMessage({height: draw(readFlow(String(data.code)), clientWidth)});
      } catch ({message}) {
        port.postMessage({failed: message});
      }
    }).observe(document.documentElement);
  });

  function readFlow(code) {
    const names = new Set();
    const edges = [];
    for (const [index, line] of code.split('\n').entries()) {
      const text = line.trim();
      if (text === '' || text.startsWith('#')) continue;
      const [, chain, label = ''] = /^(.*?)(?::\s+(.*))?$/.exec(text);
      const stops = chain.split('->').map((stop) => stop.trim());
      if (stops.length < 2 || stops.includes(''))
        throw new Error(`Line ${index + 1} is no flow. Write it as “a -> b” or “a -> b: what goes along”.`);
      for (const stop of stops) names.add(stop);
      for (const [at, to] of stops.slice(1).entries()) edges.push({from: stops[at], to, label});
    }
    if (edges.length === 0) throw new Error('This flow has no line such as “a -> b”.');
    return {names: [...names], edges};
  }

  /** Draws, and gives the height. */
  function draw(flow, width) {
    const across = layOut(flow, true);
    const plan = across.width <= width ? across : layOut(flow, false);
    const svg = make('svg', {
      width: plan.width,
      height: plan.height,
      viewBox: `0 0 ${plan.width} ${plan.height}`,
      role: 'img',
      'aria-label': flow.edges
        .map(({from, to, label}) => `${from} to ${to}${label && `: ${label}`}`)
        .join('; '),
    });
    const marker = make('marker', {
      id: 'head',
      viewBox: '0 0 8 8',
      refX: 8,
      refY: 4,
      markerWidth: 8,
      markerHeight: 8,
      orient: 'auto-start-reverse',
    });
    marker.append(make('path', {d: 'M0 0.5 8 4 0 7.5z'}));
    svg.append(marker, ...plan.shapes);
    document.body.replaceChildren(svg);
    return Math.ceil(svg.getBoundingClientRect().height);
  }

  /** Boxes and lines with their places. `main` is the way things run, `cross` the other one. */
  function layOut({names, edges}, isAcross) {
    const order = new Map(names.map((name, index) => [name, index]));
    const ranks = ranksOf(names, edges, order);
    const columns = [];
    for (const name of names) (columns[ranks.get(name)] ??= []).push(name);
    const sizes = new Map(names.map((name) => [name, [measure(name) + 2 * PAD, HEIGHT]]));
    const mainOf = (name) => sizes.get(name)[isAcross ? 0 : 1];
    const crossOf = (name) => sizes.get(name)[isAcross ? 1 : 0];
    const spans = columns.map((column) => column.reduce((sum, name) => sum + crossOf(name) + GAP, -GAP));
    const widest = Math.max(...spans);

    const boxes = new Map();
    let main = 1;
    for (const [rank, column] of columns.entries()) {
      const deepest = Math.max(...column.map(mainOf));
      let cross = 1 + (widest - spans[rank]) / 2;
      for (const name of column) {
        boxes.set(name, {
          main: main + (deepest - mainOf(name)) / 2,
          cross,
          deep: mainOf(name),
          wide: crossOf(name),
        });
        cross += crossOf(name) + GAP;
      }
      main += deepest + gapAfter(rank);
    }
    const length = main - gapAfter(columns.length - 1) + 1;
    const backs = edges.filter((edge) => isBack(edge));
    const room =
      backs.length === 0
        ? 0
        : AWAY + (isAcross ? 14 : Math.max(...backs.map(({label}) => measure(label, 12))) + 10);
    const beside = isAcross ? 0 : besideRoom();

    const at = (m, c) => (isAcross ? [m, c] : [c, m]);
    const shapes = edges.flatMap((edge) => [line(edge), ...label(edge)]);
    for (const [name, {main: m, cross: c, deep, wide}] of boxes) {
      const [x, y] = at(m, c);
      const [w, h] = at(deep, wide);
      shapes.push(make('rect', {x, y, width: w, height: h, rx: 8}));
      shapes.push(make('text', {x: x + w / 2, y: y + h / 2}, name));
    }
    const [fullWidth, fullHeight] = at(length, widest + 2 + Math.max(room, beside));
    return {width: Math.ceil(fullWidth), height: Math.ceil(fullHeight), shapes};

    function isBack({from, to}) {
      return ranks.get(to) <= ranks.get(from);
    }

    /** Room for the longest label between two ranks. */
    function gapAfter(rank) {
      if (!isAcross) return 44;
      const labels = edges
        .filter((edge) => ranks.get(edge.from) === rank && !isBack(edge))
        .map((edge) => edge.label);
      return Math.max(48, ...labels.map((text) => measure(text, 12) + 28));
    }

    /** Labels beside the lines of a narrow drawing may be longer than its boxes are wide. */
    function besideRoom() {
      const ends = edges
        .filter((edge) => !isBack(edge))
        .map((edge) => middle(edge)[1] + 8 + measure(edge.label, 12));
      return Math.max(0, ...ends.map((end) => end - widest - 2));
    }

    function ends({from, to}) {
      const [a, b] = [boxes.get(from), boxes.get(to)];
      return [a.main + a.deep, a.cross + a.wide / 2, b.main, b.cross + b.wide / 2];
    }

    function middle(edge) {
      const [m1, c1, m2, c2] = ends(edge);
      return [(m1 + m2) / 2, (c1 + c2) / 2];
    }

    function line(edge) {
      const points = isBack(edge) ? around(edge) : ahead(edge);
      const [start, ...rest] = points.map(([m, c]) => at(m, c).join(' '));
      return make('path', {d: `M${start} C${rest.join(' ')}`, 'marker-end': 'url(#head)'});
    }

    function ahead(edge) {
      const [m1, c1, m2, c2] = ends(edge);
      const half = (m1 + m2) / 2;
      return [
        [m1, c1],
        [half, c1],
        [half, c2],
        [m2 - 1, c2],
      ];
    }

    function around({from, to}) {
      const [a, b] = [boxes.get(from), boxes.get(to)];
      const far = widest + 1 + AWAY;
      const [m1, m2] = [a.main + a.deep / 2, b.main + b.deep / 2];
      return [
        [m1, a.cross + a.wide],
        [m1, far],
        [m2, far],
        [m2, b.cross + b.wide + 1],
      ];
    }

    function label(edge) {
      if (edge.label === '') return [];
      const [m, c] = isBack(edge) ? aroundMiddle(edge) : middle(edge);
      const [x, y] = at(m, c);
      const below = isBack(edge) ? 10 : -9;
      const place = isAcross ? {x, y: y + below} : {x: x + 8, y, class: 'label beside'};
      return [make('text', {class: 'label', ...place}, edge.label)];
    }

    function aroundMiddle(edge) {
      const [[m1, c1], , [m2, far], [, c2]] = around(edge);
      // Where a curve of this kind is in its middle.
      return [(m1 + m2) / 2, (c1 + c2 + 6 * far) / 8];
    }
  }

  function ranksOf(names, edges, order) {
    const ranks = new Map(names.map((name) => [name, 0]));
    const forward = edges.filter(({from, to}) => order.get(from) < order.get(to));
    for (let changed = true; changed;) {
      changed = false;
      for (const {from, to} of forward) {
        if (ranks.get(to) > ranks.get(from)) continue;
        ranks.set(to, ranks.get(from) + 1);
        changed = true;
      }
    }
    return ranks;
  }

  const canvas = document.createElement('canvas').getContext('2d');
  function measure(text, size = 14) {
    canvas.font = `${size}px ${window.getComputedStyle(document.body).fontFamily}`;
    return canvas.measureText(text).width;
  }

  function make(tag, attributes, text = '') {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  }
})();
