// The connection to the server: requests out, answers in (doc/protocol.md).

// A binary message: its head, with the sections as views of its body.
export function decode(buffer) {
  const view = new DataView(buffer), length = view.getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const sections = {};
  for (const [name, [first, size]] of Object.entries(head.sections ?? {}))
    sections[name] = {buffer, first: 4 + length + first, size};
  return {...head, sections};
}

const doubles = ({buffer, first, size}) => new Float64Array(buffer, first, size / 8);
const floats = ({buffer, first, size}) => new Float32Array(buffer, first, size / 4);
// The numbers of a motion, row by row; floats are beyond those of the first row.
export function numbers_of({floats: are_floats, width, sections}) {
  if (!are_floats) return doubles(sections.numbers);
  const first = doubles(sections.first);
  return Float64Array.from(floats(sections.numbers), (v, i) => first[i % width] + v);
}
export const bytes = ({buffer, first, size}) => new Uint8Array(buffer, first, size);
export const text = section => new TextDecoder().decode(bytes(section));

// handlers: by the answer's verb; "state" is called with true or false as the connection comes and goes.
export function open_wire(handlers) {
  const waiting = new Map();
  let socket = null, number = 0, pause = 200;

  const take = event => {
    const message = decode(event.data), wait = waiting.get(message.id);
    const is_answer = wait && (message.do === "refused" || wait.verbs.includes(message.do));
    if (is_answer) waiting.delete(message.id), wait.resolve(message);
    else handlers[message.do]?.(message);
  };
  const connect = () => {
    socket = globalThis.qdot_engine_socket?.() ?? new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    socket.onmessage = take;
    socket.onopen = () => {
      pause = 200;
      handlers.state(true);
    };
    socket.onclose = () => {
      for (const {resolve} of waiting.values()) resolve({do: "refused", why: "the connection was lost"});
      waiting.clear();
      handlers.state(false);
      setTimeout(connect, pause);
      pause = Math.min(2 * pause, 3000);
    };
  };

  const wire = {
    is_open: () => socket?.readyState === WebSocket.OPEN,
    // Sends a request; its number, or 0 without a connection.
    send(verb, members = {}) {
      if (!wire.is_open()) return 0;
      socket.send(JSON.stringify({do: verb, id: ++number, ...members}));
      return number;
    },
    // Sends a request and waits for one of these answers, or for a refusal.
    ask(verb, members, ...verbs) {
      const id = wire.send(verb, members);
      if (!id) return Promise.resolve({do: "refused", why: "there is no connection"});
      return new Promise(resolve => waiting.set(id, {verbs, resolve}));
    },
  };
  connect();
  return wire;
}
