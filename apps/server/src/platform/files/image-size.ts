import { disableTypes, imageSize, types } from 'image-size'

export interface Pixels {
  width: number
  height: number
}

/** Only the formats that screens draw; the parsers of others would only be more code that reads bytes of strangers. */
const DRAWN = ['jpg', 'png', 'gif', 'webp']
disableTypes(types.filter(type => !DRAWN.includes(type)))

/** EXIF orientations from 5 on turn a picture by a quarter. */
const TURNED = 5

/** The size of a picture as it is shown, from its first bytes; null when they do not hold it. */
export function pixelsOf(head: Buffer): Pixels | null {
  try {
    const { width, height, orientation = 1 } = imageSize(head)
    return orientation >= TURNED ? { width: height, height: width } : { width, height }
  } catch {
    // another format, or a picture that ends within its header
    return null
  }
}
