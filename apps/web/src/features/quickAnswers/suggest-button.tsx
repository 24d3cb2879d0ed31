import { IconBolt } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useSuggestText } from './quickAnswers.suggest.text.ts'

/** Opens the list of quick answers as typing `/` does, and closes it again. */
export function QuickAnswerButton({ body, onPick }: { body: string; onPick(text: string): void }) {
  const t = useSuggestText()
  const isAsked = body.startsWith('/')
  return (
    <IconButton
      label={t('quickAnswers')}
      shortcut="/"
      on={isAsked}
      disabled={!isAsked && body !== ''}
      onClick={() => onPick(isAsked ? '' : '/')}
    >
      <IconBolt size={19} stroke={1.75} />
    </IconButton>
  )
}
