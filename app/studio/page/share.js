// A link that contains the model: in the fragment, which browsers never send.

async function squeeze(bytes, stream) {
  const out = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(out).arrayBuffer());
}

const to_text = bytes => btoa(Array.from(bytes, b => String.fromCharCode(b)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const from_text = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));

export async function fragment_of(text) {
  return "#model=" + to_text(await squeeze(new TextEncoder().encode(text), new CompressionStream("deflate-raw")));
}

// The model of a fragment, or null.
export async function model_of(fragment) {
  const match = fragment.match(/^#m(?:odel)?=([\w-]+)$/);
  if (!match) return null;
  try {
    const bytes = await squeeze(from_text(match[1]), new DecompressionStream("deflate-raw"));
    return bytes.length <= 1 << 20 ? new TextDecoder("utf-8", {fatal: true}).decode(bytes) : null;
  } catch {
    return null;
  }
}
