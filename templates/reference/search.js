// What search finds, in which order; no page is needed for it. An entry is [kind, name, text, address].
const HERE = 1.5; // what an entry of the guide that one reads counts more: about a step
const MISTYPED_FROM = 4; // shorter words are too much like others
const KINDS = ["class", "type", "constant", "domain", "archetype", "part", "section", "encoding", "rule"];

const folderOf = (address) => address.slice(0, address.lastIndexOf("/") + 1);
// The entries in small letters, and the guide of each by number: of equal ones, the last guide is shown first.
function indexed(entries) {
  const folders = new Map();
  return entries.map((entry) => {
    const folder = folderOf(entry[3]);
    if (!folders.has(folder)) folders.set(folder, folders.size);
    return { entry, folder, guide: folders.get(folder), name: entry[1].toLowerCase(), text: entry[2].toLowerCase() };
  });
}

// How well an entry fits: 0 not at all. Names count more than texts, whole names most.
function score({ name, text }, words, phrase) {
  if (!words.every((word) => name.includes(word) || text.includes(word))) return 0;
  if (name === phrase) return 6;
  if (name.endsWith(`.${phrase}`)) return 5;
  if (name.startsWith(phrase)) return 4;
  if (words.every((word) => name.includes(word))) return 3;
  return text.startsWith(phrase) || words.some((word) => name.includes(word)) ? 2 : 1;
}

function ranked(index, words, folder) {
  const phrase = words.join(" ");
  const scored = [];
  for (const item of index) {
    const points = score(item, words, phrase);
    if (points) scored.push([points + (folder && item.folder === folder ? HERE : 0), item]);
  }
  scored.sort(([one, a], [other, b]) => other - one || b.guide - a.guide); // stable: else in the order of the guide
  return scored.map(([, item]) => item.entry);
}

// The least number of letters to add, drop, replace or swap with the next; most + 1 where it is more than most.
function distance(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[other.length];
}

// How often each word occurs; those of names count more. Counted once, when somebody first mistypes one.
const vocabularies = new WeakMap();
function vocabulary(index) {
  const known = vocabularies.get(index);
  if (known) return known;
  const counts = new Map();
  vocabularies.set(index, counts);
  const add = (text, weight) => {
    for (const word of text.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + weight);
  };
  for (const { name, text } of index) { add(name, 20); add(text, 1); }
  return counts;
}

// The known word that is most like a mistyped one: two letters may be wrong in a long one, one in a short one.
function corrected(word, counts) {
  if (word.length < MISTYPED_FROM) return word;
  let [best, least, count] = [word, word.length > 6 ? 2 : 1, 0];
  for (const [known, times] of counts) {
    const wrong = distance(word, known, least);
    if (wrong < least || (wrong === least && times > count)) [best, least, count] = [known, wrong, times];
  }
  return best;
}

const wordsOf = (text) => text.trim().toLowerCase().split(/\s+/).filter(Boolean);

// The words that were looked for, mended where no entry has them, and the entries that have all of them.
function find(index, text, folder) {
  const words = wordsOf(text);
  if (!words.length) return { words, found: [], mended: false };
  const unknown = words.filter((word) => !index.some((entry) => entry.name.includes(word) || entry.text.includes(word)));
  if (!unknown.length) return { words, found: ranked(index, words, folder), mended: false };
  const counts = vocabulary(index);
  // Of a name with dots and hyphens each part may be mistyped.
  const mend = (word) => word.split(/([^\p{L}\p{N}]+)/u).map((part) => counts.has(part) ? part : corrected(part, counts)).join("");
  const better = words.map((word) => unknown.includes(word) ? mend(word) : word);
  const found = ranked(index, better, folder);
  return { words: better, found, mended: found.length > 0 };
}

// What somebody may have meant by an anchor that nothing has: what has all of its words, else the longest of them.
function nearby(index, anchor, folder) {
  const words = wordsOf(anchor.replace(/[^\p{L}\p{N}]+/gu, " "));
  const attempts = [words.join(" "), ...words.sort((one, other) => other.length - one.length)];
  for (const attempt of attempts) {
    const { found } = find(index, attempt, folder);
    if (found.length) return found;
  }
  return [];
}

// An anchor whatever stands between its words, and in whatever letters: basic-publish, Basic.Publish, basic_publish.
const plainAnchor = (anchor) => anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");

// The address for an anchor that the page does not have: that very anchor elsewhere, another spelling of one, or the
// name of an element without its kind (queue, attach, not-found). The guide that one reads goes first, then the last one.
function addressOf(index, anchor, folder) {
  const plain = plainAnchor(anchor);
  if (!plain) return null;
  const spellings = [plain, ...KINDS.map((kind) => `${kind}-${plain}`)];
  const fits = [(own) => own === anchor, ...spellings.map((wanted) => (own) => plainAnchor(own) === wanted)];
  const anchors = index.map((item) => [item.entry[3].slice(item.entry[3].indexOf("#") + 1), item]);
  for (const fit of fits) {
    const found = anchors.filter(([own]) => fit(own)).map(([, item]) => item);
    const best = found.find((entry) => folder && entry.folder === folder) ?? found.findLast(() => true);
    if (best) return best.entry[3];
  }
  return null;
}
