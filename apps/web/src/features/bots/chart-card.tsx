import { type BotCommand, commandTypes } from '@balcao/contract/bots.commands.ts'
import { IconPaperclip, IconSparkles, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Chip } from '../../ui/chip.tsx'
import { queueChoices } from '../queues/queues.choices.ts'
import { userChoices } from '../users/users.api.ts'
import { useCommandText } from './bots.commands.text.ts'
import classes from './chart.module.css'
import { Kind } from './command-kinds.tsx'
import { useCommandWords } from './command-words.ts'

/** A card: number, type and message (BOTCMD-006), and its target. */
export function ChartCard({ command }: { command: BotCommand }) {
  const t = useCommandText()
  const words = useCommandWords()
  const { commandBot, commandType, mediaUrl } = command
  return (
    <>
      <span className={classes.kind}>
        <span className={classes.number}>{commandBot}</span>
        <Kind type={commandType} />
        {mediaUrl && <IconPaperclip size={14} role="img" aria-label={t('file')} />}
      </span>
      <span className={classes.words}>{words(command, command.descriptionBot)}</span>
      <Leads command={command} />
    </>
  )
}

function Leads({ command: { commandType, queueId, userId, botConfig } }: { command: BotCommand }) {
  const { data: queues } = useQuery(queueChoices)
  const { data: users } = useQuery(userChoices)
  const queue = queues?.find(({ id }) => id === queueId)
  const user = users?.find(({ id }) => id === userId)
  if (commandType === commandTypes.attendant && user)
    return (
      <span className={classes.who}>
        <IconUser size={15} aria-hidden /> {user.name}
      </span>
    )
  if (commandType === commandTypes.prompt && botConfig)
    return (
      <span className={classes.who}>
        <IconSparkles size={15} aria-hidden /> {botConfig.name}
      </span>
    )
  const leads = commandType === commandTypes.sector || commandType === commandTypes.attendant
  return leads && queue ? <Chip label={queue.name} color={queue.color} on="bg-raised" /> : null
}
