import { crc32, deflateRawSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'

// Files as the browser's own encoders make them; each call draws something else.

type Draw = (canvas: HTMLCanvasElement) => void

declare global {
  // in the page
  var draw: Draw
  interface Uint8Array {
    toBase64(): string
  }
}

/** A page of its own in which files are made. */
export async function openStudio(browser: Browser) {
  const page = await browser.newPage()
  // Every later one draws with this, in the page.
  await page.evaluate(() => {
    const draw: Draw = canvas => {
      const brush = canvas.getContext('2d')!
      for (let at = 0; at < 40; at++) {
        brush.fillStyle = `hsl(${Math.random() * 360} 80% 50%)`
        brush.fillRect(Math.random() * canvas.width, Math.random() * canvas.height, 60, 40)
      }
    }
    Object.assign(globalThis, { draw })
  })
  return {
    picture: (type: 'image/jpeg' | 'image/png' | 'image/webp', width = 640, height = 360) =>
      bytesIn(page, [type, width, height] as const, async ([type, width, height]) => {
        const canvas = Object.assign(document.createElement('canvas'), { width, height })
        draw(canvas)
        return new Promise<Blob>(done => canvas.toBlob(blob => done(blob!), type, 0.8))
      }),
    /** Two seconds of H.264 in MP4. */
    film: () =>
      bytesIn(page, null, async () => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 })
        const drawing = setInterval(() => draw(canvas), 40)
        const recorder = new MediaRecorder(canvas.captureStream(25), {
          mimeType: 'video/mp4;codecs=avc1.42E01E',
        })
        const parts: Blob[] = []
        recorder.ondataavailable = ({ data }) => parts.push(data)
        const ended = new Promise(done => {
          recorder.onstop = done
        })
        recorder.start()
        await new Promise(done => setTimeout(done, 2_000))
        recorder.stop()
        await ended
        clearInterval(drawing)
        return new Blob(parts)
      }),
    async paper() {
      await page.setContent(`<h1>Nota fiscal ${Math.random()}</h1>`)
      return page.pdf()
    },
    close: () => page.close(),
  }
}

/** The bytes of what a function makes in the page. */
async function bytesIn<Given>(page: Page, given: Given, make: (given: Given) => Promise<Blob>) {
  const made = await page.evaluateHandle(make as never, given)
  const base64 = await made.evaluate(async blob => {
    const bytes = new Uint8Array(await (blob as Blob).arrayBuffer())
    return bytes.toBase64()
  })
  return Buffer.from(base64, 'base64')
}

/** A spreadsheet of one cell: an archive as Excel writes it. */
export function spreadsheet(): Buffer {
  const main = 'http://schemas.openxmlformats.org'
  const relation = (id: number, kind: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${main}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`
  const relations = (inside: string) =>
    `<Relationships xmlns="${main}/package/2006/relationships">${inside}</Relationships>`
  const type = (part: string, of: string) =>
    `<Override PartName="/xl/${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${of}+xml"/>`
  return zip({
    '[Content_Types].xml':
      `<Types xmlns="${main}/package/2006/content-types"><Default Extension="rels" ContentType="application/` +
      `vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
      `${type('workbook.xml', 'sheet.main')}${type('sheet1.xml', 'worksheet')}</Types>`,
    '_rels/.rels': relations(relation(1, 'officeDocument', 'xl/workbook.xml')),
    'xl/workbook.xml':
      `<workbook xmlns="${main}/spreadsheetml/2006/main" xmlns:r="${main}/officeDocument/2006/relationships">` +
      `<sheets><sheet name="Folha" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(relation(1, 'worksheet', 'sheet1.xml')),
    'xl/sheet1.xml':
      `<worksheet xmlns="${main}/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><v>${Math.random()}</v>` +
      `</c></row></sheetData></worksheet>`,
  })
}

/** Of local headers, a directory and its end (APPNOTE.TXT of PKWARE). */
function zip(files: Record<string, string>): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
    const packed = deflateRawSync(content)
    const about = Buffer.alloc(26)
    about.writeUInt16LE(20, 0)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(content), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(content.length, 18)
    about.writeUInt16LE(name.length, 22)
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\0'), about, place, Buffer.from(name))
    local.push(entry)
    offset += entry.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(local.length, 8)
  end.writeUInt16LE(local.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...local, listed, end])
}
