import { takesTime } from '@balcao/contract/flows.rules.ts'
import { useEffect, useState } from 'react'
import type { DraftAction } from './drafts.ts'

/** How long something that is said stands before what follows it. */
const SAID_MS = 500

interface Playing {
  of: DraftAction[]
  /** So many actions are over. */
  done: number
  /** The next one is under way. */
  busy: boolean
  /** What follows it goes on by itself. */
  onward: boolean
}

/** Plays actions in their order, all of them or one at a time. Other actions begin anew. */
export function usePlay(actions: DraftAction[], speed: number) {
  const [state, setState] = useState<Playing>(() => begun(actions))
  if (state.of !== actions) setState(begun(actions))
  const { done, busy, onward } = state
  const current = busy ? actions[done] : undefined
  useEffect(() => {
    if (!current) return
    const ms = takesTime(current.actionType) ? current.param * 1_000 : SAID_MS
    const timer = setTimeout(() => setState(over), ms / speed)
    return () => clearTimeout(timer)
  }, [current, speed])
  const isOver = done >= actions.length
  return {
    isOver,
    isPlaying: busy && onward,
    /** What the customer has read by now. */
    said: actions.slice(0, done + (busy ? 1 : 0)).filter(({ actionType }) => !takesTime(actionType)),
    /** What is done at this moment. */
    current,
    done,
    play: () => setState({ of: actions, done: isOver ? 0 : done, busy: actions.length > 0, onward: true }),
    pause: () => setState({ ...state, busy: false, onward: false }),
    /** Does the next action; one that is under way is cut short. */
    step() {
      const next = isOver ? 0 : busy ? done + 1 : done
      setState({ of: actions, done: next, busy: next < actions.length, onward: false })
    },
    again: () => setState(begun(actions)),
  }
}

const begun = (of: DraftAction[]): Playing => ({ of, done: 0, busy: false, onward: false })

function over(state: Playing): Playing {
  const done = state.done + 1
  const onward = state.onward && done < state.of.length
  return { ...state, done, busy: onward, onward }
}
