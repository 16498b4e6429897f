/**
 * Owns the filter that keeps confined commands from making namespaces of mounts.
 * Leaves putting it up to the fence's driver, which takes it from a descriptor. Rule: of all that can be asked of the
 * system nothing else is filtered; what asks by a structure in memory is told that the system has no such call, and then
 * asks in the old way. The attack: what is read-only or withheld is so because a mount stands there, and a mount point
 * cannot be renamed or removed; but only the mounts of the caller's own namespace count. In a new one everything is
 * unmounted at once, the old folders are reached by a descriptor, and there nothing is busy.
 */
interface Numbers {
  readonly architecture: number;
  readonly clone: number;
  readonly unshare: number;
}

/** Of each machine those that it runs, older ones too: x64 and ia32, arm64 and arm, riscv64, loong64. */
const MACHINES: readonly Numbers[] = [
  { architecture: 0xc000003e, clone: 56, unshare: 272 },
  { architecture: 0x40000003, clone: 120, unshare: 310 },
  { architecture: 0xc00000b7, clone: 220, unshare: 97 },
  { architecture: 0x40000028, clone: 120, unshare: 337 },
  { architecture: 0xc00000f3, clone: 220, unshare: 97 },
  { architecture: 0xc0000102, clone: 220, unshare: 97 },
];
/** As Node names them. */
const ARCHITECTURES = ["x64", "ia32", "arm64", "arm", "riscv64", "loong64"];

/** The same everywhere. */
const [OPEN_TREE, FSMOUNT, CLONE3] = [428, 432, 435];
const NEW_MOUNTS = 0x0002_0000;
/** Calls of the x32 kind have numbers of their own. */
const OTHER_KIND = 0x4000_0000;
const AT = { number: 0, architecture: 4, flags: 16 };

const [LOAD, EQUAL, AT_LEAST, ANY_BIT, ANSWER] = [0x20, 0x15, 0x35, 0x45, 0x06];
const ALLOWED = 0x7fff_0000;
const NOT_PERMITTED = 0x0005_0001;
const NO_SUCH_CALL = 0x0005_0026;

/** Code, how many to pass over where it is so and where not, operand. */
type Instruction = readonly [code: number, isSo: number, isNot: number, operand: number];

/** The descriptor on which the driver reads it; closed before the command begins. */
export const FILTER_FD = 4;

export function canFilter(architecture: string): boolean {
  return ARCHITECTURES.includes(architecture);
}

export function makeSyscallFilter(): Buffer {
  const program: Instruction[] = [[LOAD, 0, 0, AT.architecture]];
  for (const { architecture, clone, unshare } of MACHINES) {
    const judged = judge(clone, unshare);
    program.push([EQUAL, 0, judged.length, architecture], ...judged);
  }
  program.push([ANSWER, 0, 0, NO_SUCH_CALL]);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, [code, isSo, isNot, operand]] of program.entries()) {
    const at = bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt32LE(operand, bytes.writeUInt8(isNot, bytes.writeUInt8(isSo, at)));
  }
  return bytes;
}

function judge(clone: number, unshare: number): readonly Instruction[] {
  return [
    [LOAD, 0, 0, AT.number],
    [AT_LEAST, 9, 0, OTHER_KIND],
    [EQUAL, 8, 0, CLONE3],
    [EQUAL, 7, 0, OPEN_TREE],
    [EQUAL, 6, 0, FSMOUNT],
    [EQUAL, 1, 0, clone],
    [EQUAL, 0, 2, unshare],
    [LOAD, 0, 0, AT.flags],
    [ANY_BIT, 1, 0, NEW_MOUNTS],
    [ANSWER, 0, 0, ALLOWED],
    [ANSWER, 0, 0, NOT_PERMITTED],
    [ANSWER, 0, 0, NO_SUCH_CALL],
  ];
}
