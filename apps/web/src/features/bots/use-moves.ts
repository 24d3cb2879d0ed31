import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { useRef, useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { type BranchPlace, type Direction, placeAfter } from './bot-moves.ts'
import { arrange, moveBranch } from './bots.api.ts'
import { useCommandText } from './bots.commands.text.ts'

type Before = NonNullable<Awaited<ReturnType<typeof moveBranch>>>

/** Moves branches one after the other, and undoes the last move. */
export function useMoves(botSetupId: number, commands: BotCommand[]) {
  const t = useCommandText()
  const past = useRef<Before[]>([])
  const working = useRef(Promise.resolve())
  const [busy, setBusy] = useState(false)
  const [canUndo, setCanUndo] = useState(false)

  /** Serialises work: each waits for the previous one. */
  function inTurn(work: () => Promise<unknown>) {
    setBusy(true)
    const mine = working.current.then(work).then(() => {}, notify.failed)
    working.current = mine
    void mine.then(() => {
      setCanUndo(past.current.length > 0)
      if (working.current === mine) setBusy(false)
    })
  }
  function move(number: string, place: BranchPlace | null) {
    // the numbers on the screen are outdated while a move is running
    if (busy || !place) return
    inTurn(async () => {
      const before = await moveBranch(botSetupId, commands, number, place)
      if (!before) return
      past.current = [...past.current, before]
      const action = { label: t('undo'), act: () => undo(before) }
      notify.done(t('moved'), { id: 'moved', seconds: 6, action })
    })
  }
  const undo = (wanted?: Before) =>
    inTurn(async () => {
      const before = wanted ?? past.current.at(-1)
      if (!before || !past.current.includes(before)) return
      past.current = past.current.filter(one => one !== before)
      await arrange(botSetupId, before)
    })
  const numbers = commands.map(({ commandBot }) => commandBot)
  return {
    busy,
    move,
    step: (number: string, direction: Direction) => move(number, placeAfter(numbers, number, direction)),
    undo: canUndo || busy ? () => undo() : undefined,
  }
}
export type Moves = ReturnType<typeof useMoves>
