import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

/** What strangers send who mean no good. Whatever of it runs plants `__hit` in the window. */
const RUN = 'window.__hit=1'

export const NAMES = [
  '',
  '\0',
  '../../../etc/passwd',
  'C:\\Windows\\calc.exe',
  '\u202Egpj.exe',
  'a'.repeat(100_000),
  `${'😀'.repeat(300)}.pdf`,
  '\ud800 half',
  `<script>${RUN}</script>`,
  `"><img src=x onerror=${RUN}>`,
  'linha\r\numa\n\tduas',
  '=cmd|calc',
  '/////',
  '.',
]

export const VCARDS = [
  '',
  'BEGIN:VCARD',
  'TEL:',
  'TEL;;;;;;:;;;;',
  'BEGIN:VCARD\nTEL;waid=abc:x\nEND:VCARD',
  `BEGIN:VCARD\n${'TEL:+5511999999999\n'.repeat(50_000)}END:VCARD`,
  `FN:${'a;'.repeat(100_000)}`,
  `TEL${';x'.repeat(100_000)}:1`,
  'FN:\0\ud800',
  `BEGIN:VCARD\nFN:<img src=x onerror=${RUN}>\nURL:javascript:${RUN}\nTEL;waid=5511999999999:javascript:${RUN}\nEND:VCARD`,
  'PHOTO;BASE64:AAAA\n AAAA\n\tBBBB\nTEL;waid=5511999999999:+55 11 99999-9999',
]

/** As long as a text may be. */
const LONG = 65_536
const filled = (part: string) => part.repeat(LONG / part.length)

export const BODIES = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}"><svg onload="${RUN}"><iframe srcdoc="<script>parent.${RUN}</script>">`,
  `javascript:${RUN}`,
  `https://a.test/"onmouseover="${RUN}`,
  `[nota](javascript:${RUN}) data:text/html,<script>${RUN}</script>`,
  `{{constructor.constructor("return window")().__hit=1}} $\{${RUN}} {count} $t(title)`,
  '\u202Etxet siht daer\u202C \u2066\u2067\u2068',
  'a\x07b\x1b[31mc\x7fd\u0085e\u2028f\uFEFFg',
  `Z${'\u0336\u0489\u0488'.repeat(300)}algo`,
  '\n'.repeat(500),
  filled('palavrasemfim1'.padEnd(16, 'x')),
  filled('😀'),
  filled('https://a.test/b '.padEnd(32, 'c ')),
  filled('*a* _b_ ~c~ ```d'),
  filled('*_~`'),
  filled('> 1. - a\n'.padEnd(16, ' ')),
]

export interface HostileFile {
  name: string
  type: string
  bytes: Buffer
}

const svg = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script><image href="https://a.test/x"/></svg>`,
)
const html = Buffer.from(`<!doctype html><title>x</title><script>opener.${RUN};${RUN}</script>`)

/** What a browser would run, under its own and under false names. */
export const RUNNING: HostileFile[] = [
  { name: 'logo.svg', type: 'image/svg+xml', bytes: svg },
  { name: 'foto.png', type: 'image/png', bytes: svg },
  { name: 'fatura.html', type: 'text/html', bytes: html },
  { name: 'foto.jpg', type: 'image/jpeg', bytes: html },
  { name: 'nota.pdf', type: 'application/pdf', bytes: html },
  { name: 'conta.js', type: 'text/javascript', bytes: Buffer.from(`#!/bin/node\n${RUN}`) },
]

/** A picture of so many pixels a side, one bit each: what is small on its way is enormous when it is drawn. */
export function pictureBomb(side = 20_000): HostileFile {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(side / 8)) * side), { level: 9 })
  const parts = [chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  const bytes = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
  return { name: 'panorama.png', type: 'image/png', bytes }
}

function chunk(kind: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length, 0)
  body.copy(whole, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

/** An archive with one entry of zeros, under a name that detection of office documents reads. */
export function archiveBomb(entry = '[Content_Types].xml', megabytes = 200): HostileFile {
  const plain = Buffer.alloc(megabytes * 1024 * 1024)
  const packed = deflateRawSync(plain, { level: 9 })
  const name = Buffer.from(entry)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(20, 4)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(crc32(plain), 14)
  local.writeUInt32LE(packed.length, 18)
  local.writeUInt32LE(plain.length, 22)
  local.writeUInt16LE(name.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  local.copy(central, 6, 4, 30)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + name.length, 12)
  end.writeUInt32LE(local.length + name.length + packed.length, 16)
  const bytes = Buffer.concat([local, name, packed, central, name, end])
  return { name: 'planilha.xlsx', type: 'application/zip', bytes }
}
