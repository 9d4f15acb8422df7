// Places in a text: the server counts bytes of UTF-8, the editor units of UTF-16.

// How many bytes the first `place` units of a text have.
export function byte_of(text, place) {
  let n = 0;
  for (let i = 0; i < place && i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xD800 && code < 0xDC00 && i + 1 < place) n += 4, i++;
    else n += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return n;
}

// The unit at which byte `offset` stands.
export function unit_of(text, offset) {
  let n = 0, i = 0;
  while (i < text.length && n < offset) {
    const code = text.charCodeAt(i);
    if (code >= 0xD800 && code < 0xDC00) n += 4, i += 2;
    else n += code < 0x80 ? 1 : code < 0x800 ? 2 : 3, i++;
  }
  return Math.min(i, text.length);
}
