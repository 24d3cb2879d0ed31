/** What goes wrong with files on purpose; each is used up after so many `times`. */
export interface MediaFaults {
  /** Refuses uploads with this HTTP status, on whichever host they are tried. */
  refuseUploads(status: number, times?: number): void
  /** Breaks the connection in the middle of a download. */
  breakOff(times?: number): void
  /** Sends half of a download and then nothing more. */
  stall(times?: number): void
  /** Serves other bytes than were uploaded: they decrypt, but to something else. */
  spoil(times?: number): void
  /** Sends every download at this pace; undefined as fast as it goes. */
  slowDown(bytesPerSecond: number | undefined): void
}

/** How one download is to be sent. */
export interface Sending {
  bytes: Buffer
  /** What happens once half of it is sent. */
  halfway?: 'break' | 'stall'
  bytesPerSecond: number | undefined
}

export interface MediaFaultState extends MediaFaults {
  uploadRefusal(): number | undefined
  sending(bytes: Buffer): Sending
}

type Fault = 'refuse' | 'break' | 'stall' | 'spoil'

export function makeMediaFaults(): MediaFaultState {
  const left = new Map<Fault, number>()
  let status = 500
  let bytesPerSecond: number | undefined
  const set = (fault: Fault, times: number) => void left.set(fault, times)
  const strikes = (fault: Fault) => {
    const times = left.get(fault) ?? 0
    left.set(fault, times - 1)
    return times > 0
  }
  return {
    refuseUploads(code, times = 1) {
      status = code
      set('refuse', times)
    },
    breakOff: (times = 1) => set('break', times),
    stall: (times = 1) => set('stall', times),
    spoil: (times = 1) => set('spoil', times),
    slowDown(pace) {
      bytesPerSecond = pace
    },

    uploadRefusal: () => (strikes('refuse') ? status : undefined),
    sending(bytes) {
      const halfway = strikes('break') ? 'break' : strikes('stall') ? 'stall' : undefined
      return { bytes: strikes('spoil') ? spoilt(bytes) : bytes, halfway, bytesPerSecond }
    },
  }
}

// The first block of the ciphertext: CBC garbles it and one bit of the next, and the padding at the end stays whole.
function spoilt(bytes: Buffer): Buffer {
  const other = Buffer.from(bytes)
  other[0]! ^= 0xff
  return other
}
