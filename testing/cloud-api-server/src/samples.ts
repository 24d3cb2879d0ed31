const latin = (text: string) => Buffer.from(text, 'latin1')

/** The smallest files that WhatsApp accepts as their type. */
export const samples = {
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/jpeg': Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe0,
    0,
    16,
    ...latin('JFIF\0'),
    1,
    1,
    0,
    0,
    1,
    0,
    1,
    0,
    0,
    0xff,
    0xd9,
  ]),
  'image/webp': Buffer.concat([
    latin('RIFF'),
    Buffer.from([26, 0, 0, 0]),
    latin('WEBPVP8L'),
    Buffer.alloc(14),
  ]),
  'video/mp4': Buffer.concat([Buffer.from([0, 0, 0, 24]), latin('ftypmp42'), Buffer.alloc(12)]),
  'audio/ogg; codecs=opus': Buffer.concat([
    latin('OggS'),
    Buffer.alloc(24),
    latin('OpusHead'),
    Buffer.alloc(11),
  ]),
  'audio/mpeg': Buffer.concat([
    latin('ID3'),
    Buffer.from([3, 0, 0, 0, 0, 0, 0]),
    Buffer.from([0xff, 0xfb, 0x90, 0]),
  ]),
  'application/pdf': latin('%PDF-1.4\n%%EOF\n'),
} as const

export type SampleType = keyof typeof samples
