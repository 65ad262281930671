// The whole state of the page as the fragment of its address: JSON, deflated, in base64url.

async function through(stream, bytes) {
  const output = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(output).arrayBuffer());
}

/** Returns the fragment for a state. */
export async function encode(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const bytes = await through(new CompressionStream("deflate-raw"), text);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Returns the state of a fragment; undefined for one that is none. */
export async function decode(fragment) {
  if (fragment.length < 2) return undefined;
  try {
    const binary = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = await through(new DecompressionStream("deflate-raw"), bytes);
    const state = JSON.parse(new TextDecoder().decode(text));
    return typeof state === "object" && state !== null ? state : undefined;
  } catch {
    return undefined;
  }
}
