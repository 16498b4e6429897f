/** Owns a worker of another version of the package, as an upgrade under a running host leaves one. */
import { Socket } from "node:net";
import { serve } from "../../../dist/worker-entry/serve.js";
import { openTasks } from "../../../dist/worker-entry/tasks.js";

serve({ stream: new Socket({ fd: 3 }), version: "0.0.1", openTasks }).ended.then(() => process.exit(0));
