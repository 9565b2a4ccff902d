import { crc32, deflateRawSync } from "node:zlib";

/** A file for an archive, with its possible mistakes. */
export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** Size that the archive claims; the right one by default. */
  readonly claimedBytes?: number;
  /** Unix mode, type included; a plain file by default. */
  readonly mode?: number;
  /** Bits of the general purpose flag besides UTF-8, e.g. 1 for encrypted. */
  readonly flags?: number;
}

const plainFile = 0o100644;
const utf8 = 0x800;
const deflate = 8;

/** Writes an archive entry by entry, right or wrong as told. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name, content, claimedBytes, mode = plainFile, flags = 0 } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const written = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8 | flags, 2);
    common.writeUInt16LE(deflate, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    common.writeUInt16LE(written.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004", "latin1"), common, written, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(mode * 0x10000, 6);
    rest.writeUInt32LE(offset, 10);
    list.push(Buffer.from("PK\u0001\u0002\u0014\u0003", "latin1"), common, rest, written);
    parts.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}
