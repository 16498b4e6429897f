/**
 * Owns the words of OpenAI's responses on the side of the provider. Leaves serving to scripted-server.ts.
 * Rule: refuses what the API refuses.
 */
import { findWrongTool, type Json, openCalls, type Wire } from "./scripted-server.ts";

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly image_url?: string;
}

interface Item {
  readonly type?: string;
  readonly call_id?: string;
  readonly output?: string | readonly Part[];
}

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly parameters?: unknown;
  readonly strict?: boolean;
}

const itemsOf = (request: Json) => request.input as readonly Item[];
const toolsOf = (request: Json) => (request.tools ?? []) as readonly Tool[];

export const responsesWire: Wire = {
  path: "/v1/responses",
  reply({ text, calls = [], isCut = false }) {
    const status = isCut ? "incomplete" : "completed";
    const said = { type: "message", id: "m", role: "assistant", status };
    return {
      id: "resp_1",
      object: "response",
      created_at: 1,
      model: "scripted-1",
      status,
      output: [
        ...(text === undefined
          ? []
          : [{ ...said, content: [{ type: "output_text", text, annotations: [] }] }]),
        ...calls.map(({ id, name, args }) => {
          const written = typeof args === "string" ? args : JSON.stringify(args);
          return { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: written, status };
        }),
      ],
    };
  },
  findWrong(request) {
    const calls = openCalls();
    for (const { type, name, parameters, strict } of toolsOf(request)) {
      if (type !== "function") continue;
      const wrong = strict === false ? findWrongTool(name, parameters) : `${name} is strict`;
      if (wrong !== undefined) return wrong;
    }
    for (const { type, call_id = "" } of itemsOf(request)) {
      if (type === "function_call") calls.add(call_id);
      const wrong = type === "function_call_output" ? calls.close(call_id) : undefined;
      if (wrong !== undefined) return wrong;
    }
    return calls.wrong();
  },
  toolNames: (request) => toolsOf(request).map(({ type, name }) => name ?? type),
  resultsOf: (request) =>
    itemsOf(request)
      .filter(({ type }) => type === "function_call_output")
      .map(({ call_id = "", output = "" }) => {
        const parts = typeof output === "string" ? [{ type: "input_text", text: output }] : output;
        return {
          id: call_id,
          text: parts.map((part) => part.text ?? "").join(""),
          images: parts.flatMap((part) =>
            "image_url" in part && part.image_url ? [part.image_url.replace(/^data:[^,]*,/, "")] : [],
          ),
        };
      }),
};
