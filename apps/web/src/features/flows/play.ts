import { isPause } from '@balcao/contract/flows.rules.ts'
import { useEffect, useState } from 'react'
import type { DraftAction } from './drafts.ts'

/** How long a played message is shown before the next. */
const SHOWN_MS = 500

interface Playing {
  of: DraftAction[]
  /** So many actions are over. */
  done: number
  /** The next one is running. */
  busy: boolean
  /** The actions after it follow automatically. */
  onward: boolean
}

/** Plays actions in their order, all of them or one at a time. Other actions restart it. */
export function usePlay(actions: DraftAction[], speed: number) {
  const [state, setState] = useState<Playing>(() => begun(actions))
  if (state.of !== actions) setState(begun(actions))
  const { done, busy, onward } = state
  const current = busy ? actions[done] : undefined
  useEffect(() => {
    if (!current) return
    const ms = isPause(current.actionType) ? current.param * 1_000 : SHOWN_MS
    const timer = setTimeout(() => setState(over), ms / speed)
    return () => clearTimeout(timer)
  }, [current, speed])
  const isOver = done >= actions.length
  return {
    isOver,
    isPlaying: busy && onward,
    /** What the customer has read by now. */
    sent: actions.slice(0, done + (busy ? 1 : 0)).filter(({ actionType }) => !isPause(actionType)),
    /** The running action. */
    current,
    done,
    play: () => setState({ of: actions, done: isOver ? 0 : done, busy: actions.length > 0, onward: true }),
    pause: () => setState({ ...state, busy: false, onward: false }),
    /** Plays the next action; a running one is cut short. */
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
