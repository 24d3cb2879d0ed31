import { crc32, deflateRawSync } from 'node:zlib'

/** An entry of a ZIP file, and what its two headers say of it where that is not true. */
export interface OddEntry {
  name: string
  content: Buffer | string
  /** The local header says this name. */
  localName?: string
  /** Both sizes that the directory says are those of these bytes. */
  claimed?: Buffer
  /** The directory does not name it. */
  isHidden?: boolean
  /** The directory says the bytes of the entry at this index. */
  overlaps?: number
}

/** A ZIP file byte by byte, so that it can lie. `isZip64`: sizes and places are in the fields of large archives. */
export function archiveOf(entries: OddEntry[], { isZip64 = false } = {}): Buffer {
  const parts: Buffer[] = []
  const starts: number[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, localName = name } of entries) {
    const plain = Buffer.from(content)
    const packed = deflateRawSync(plain, { level: 1 })
    const local = Buffer.concat([headerOf(packed, plain, localName), Buffer.from(localName), packed])
    parts.push(local)
    starts.push(at)
    at += local.length
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.isHidden) continue
    const same = entries[entry.overlaps ?? index]!
    const plain = Buffer.from(same.content)
    const packed = deflateRawSync(plain, { level: 1 })
    directory.push(
      centralOf(
        headerOf(packed, entry.claimed ?? plain, entry.name),
        entry.name,
        starts[entry.overlaps ?? index]!,
        isZip64,
      ),
    )
  }
  return Buffer.concat([...parts, ...directory, endOf(directory, at)])
}

function headerOf(packed: Buffer, plain: Buffer, name: string) {
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(45, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(crc32(plain), 14)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(plain.length, 22)
  local.writeUInt16LE(Buffer.byteLength(name), 26)
  return local
}

function centralOf(header: Buffer, name: string, start: number, isZip64: boolean) {
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  header.copy(central, 6, 4, 30)
  central.writeUInt32LE(start, 42)
  if (!isZip64) return Buffer.concat([central, Buffer.from(name)])
  const large = Buffer.alloc(28)
  large.writeUInt16LE(1, 0)
  large.writeUInt16LE(24, 2)
  large.writeBigUInt64LE(BigInt(header.readUInt32LE(22)), 4)
  large.writeBigUInt64LE(BigInt(header.readUInt32LE(18)), 12)
  large.writeBigUInt64LE(BigInt(start), 20)
  for (const field of [20, 24, 42]) central.writeUInt32LE(0xffffffff, field)
  central.writeUInt16LE(large.length, 30)
  return Buffer.concat([central, Buffer.from(name), large])
}

function endOf(directory: Buffer[], start: number) {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(start, 16)
  return end
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** The entries of a workbook with one sheet, from the text of the sheet's rows and of its shared strings. */
export const workbookOf = (rows: string, strings = '', beforeRows = ''): OddEntry[] => [
  { name: '[Content_Types].xml', content: '<Types/>' },
  {
    name: 'xl/workbook.xml',
    content: `<workbook xmlns:r="${OFFICE}"><sheets><sheet name="1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `<Relationships><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  },
  { name: 'xl/sharedStrings.xml', content: `<sst>${strings}</sst>` },
  {
    name: 'xl/worksheets/sheet1.xml',
    content: `<worksheet>${beforeRows}<sheetData>${rows}</sheetData></worksheet>`,
  },
]
