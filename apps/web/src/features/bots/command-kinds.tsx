import { commandTypes } from '@balcao/contract/bots.commands.ts'
import {
  IconAlertCircle,
  IconArrowsSplit2,
  IconCircleCheck,
  IconHeadset,
  IconHelpCircle,
  IconInfoCircle,
  IconListNumbers,
  IconSparkles,
  IconSquareRoundedNumber1,
  IconUsersGroup,
  IconWorldDownload,
} from '@tabler/icons-react'
import { useCommandText } from './bots.commands.text.ts'
import classes from './command-kinds.module.css'

const kinds = {
  [commandTypes.informative]: { name: 'informative', Icon: IconInfoCircle, tone: 'info' },
  [commandTypes.menu]: { name: 'menu', Icon: IconListNumbers, tone: 'primary' },
  [commandTypes.sector]: { name: 'sector', Icon: IconUsersGroup, tone: 'success' },
  [commandTypes.attendant]: { name: 'attendant', Icon: IconHeadset, tone: 'success' },
  [commandTypes.resolve]: { name: 'resolve', Icon: IconCircleCheck, tone: 'neutral' },
  [commandTypes.buttons]: { name: 'buttons', Icon: IconSquareRoundedNumber1, tone: 'primary' },
  [commandTypes.question]: { name: 'question', Icon: IconHelpCircle, tone: 'warning' },
  [commandTypes.prompt]: { name: 'prompt', Icon: IconSparkles, tone: 'primary' },
  [commandTypes.condition]: { name: 'condition', Icon: IconArrowsSplit2, tone: 'neutral' },
  [commandTypes.request]: { name: 'request', Icon: IconWorldDownload, tone: 'info' },
} as const

/** Every type that may be chosen, in the order of the documents. */
export const kindNumbers = Object.keys(kinds).map(Number)

const kindOf = (type: number) =>
  (kinds as Record<number, (typeof kinds)[keyof typeof kinds]>)[type] ??
  ({ name: 'unknown', Icon: IconAlertCircle, tone: 'error' } as const)

/** The name of a type; an unknown one is named as unknown (OP-12). */
export function kindName(type: number): string {
  return useCommandText.read(kindOf(type).name)
}

/** The type of a command: icon and name. */
export function Kind({ type }: { type: number }) {
  useCommandText()
  const { Icon, tone } = kindOf(type)
  return (
    <span className={classes.kind} data-tone={tone}>
      <Icon size={16} stroke={1.75} aria-hidden />
      {kindName(type)}
    </span>
  )
}
