import { type FoundProblem, problemsOf } from '@balcao/contract/bots.checks.rules.ts'
import type { BotCommand } from '@balcao/contract/bots.commands.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { asScript, type Bot } from './bot-script.ts'
import { useProblemText } from './bots.commands.text.ts'
import classes from './problem-list.module.css'

/** What cannot work in this bot, each with the command it is about, which a click opens. */
export function ProblemList({ bot, onOpen }: { bot: Bot; onOpen(command: BotCommand): void }) {
  const t = useProblemText()
  const found = useMemo(() => problemsOf(asScript(bot)), [bot])
  if (found.length === 0) return null
  return (
    <details className={classes.box} open={found.length <= 3}>
      <summary>
        <IconAlertTriangle size={17} aria-hidden />
        {t('problems', { count: found.length })}
      </summary>
      <ul>
        {found.map(one => (
          <Problem key={`${one.number} ${one.problem}`} one={one} bot={bot} onOpen={onOpen} />
        ))}
      </ul>
    </details>
  )
}

function Problem({
  one: { problem, commandId, number },
  bot,
  onOpen,
}: {
  one: FoundProblem
  bot: Bot
  onOpen(command: BotCommand): void
}) {
  const t = useProblemText()
  const command = bot.commands.find(({ id }) => id === commandId)
  return (
    <li>
      {command && (
        <button type="button" onClick={() => onOpen(command)}>
          {number}
        </button>
      )}
      {t(problem)}
    </li>
  )
}

/** Problems of one command. */
export function Warnings({ title, problems }: { title: string; problems: FoundProblem['problem'][] }) {
  const t = useProblemText()
  if (problems.length === 0) return <div role="status" />
  return (
    <div className={classes.box} role="status">
      <strong>
        <IconAlertTriangle size={17} aria-hidden />
        {title}
      </strong>
      <ul>
        {problems.map(problem => (
          <li key={problem}>{t(problem)}</li>
        ))}
      </ul>
    </div>
  )
}
