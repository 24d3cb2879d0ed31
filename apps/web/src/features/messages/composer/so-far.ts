import type { HeldRecording } from './held.ts'

export const VOICE_TYPE = 'audio/mpeg'

/** All that is recorded so far. Here and not in recording.ts: the encoder is loaded with the recorder. */
export const soFarOf = ({ recording, before }: Pick<HeldRecording, 'recording' | 'before'>): Blob =>
  new Blob([...(before ? [before.made] : []), ...(recording ? [recording.soFar()] : [])], {
    type: VOICE_TYPE,
  })
