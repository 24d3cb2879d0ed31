import type { BotMessage } from './bots.words.rules.ts'

/** Why a conversation is escalated: the sender is a machine, nothing was understood, or the target is gone. */
export type BotNote = 'machine' | 'errors' | 'gone' | 'empty'

/** What happens by a turn, in this order. */
export type BotAct =
  | ({ kind: 'say' } & BotMessage)
  | { kind: 'flow'; flowId: number; commandId: number }
  | { kind: 'tag'; tagIds: number[] }
  | { kind: 'categorize'; categoryIds: number[] }
  | { kind: 'webhook'; url: string; commandId: number; number: string; answer: string }
  /** Another system is called, and its answer awaited (`called`). */
  | { kind: 'ask'; url: string; commandId: number; number: string; answer: string }
  /** A field of the contact gets a value; `field` names an additional one. */
  | { kind: 'keep'; keepIn: 'name' | 'email' | 'field'; field: string; value: string }
  | { kind: 'move'; queueId: number | null; userId: number | null }
  | { kind: 'close' }
  /**
   * The model answers; `begins`: a dialog is opened; `withText`: the received text goes to the model, it chose nothing.
   */
  | { kind: 'prompt'; botConfigId: number; begins: boolean; withText: boolean }
  | { kind: 'endPrompt' }
  /** A sentence on the ticket: from here on it is for people. */
  | { kind: 'note'; why: BotNote }

/** One step of the trace, for testing a bot. */
export interface BotTrace {
  what:
    | 'began'
    | 'backToMenu'
    | 'chose'
    | 'answered'
    | 'jumped'
    | 'held'
    | 'heldNot'
    | 'calling'
    | 'called'
    | 'calledNot'
    | 'misunderstood'
    | 'olderMenu'
    | 'tooManyErrors'
    | 'circle'
    | 'gone'
    | 'handedOver'
    | 'closed'
    | 'prompt'
    | 'waited'
    | 'givenBack'
    | 'guarded'
    | 'silent'
  commandId: number | null
  number: string
}
