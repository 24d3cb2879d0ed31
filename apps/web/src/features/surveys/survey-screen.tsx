import { Button } from '@mantine/core'
import { IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '../../platform/session.tsx'
import { Page } from '../../ui/page.tsx'
import { SurveyDialog } from './survey.dialog.tsx'
import { AnswersGiven } from './survey-answers.tsx'
import { useSurveyMenuText } from './surveys.menu.text.ts'
import { useSurveyText } from './surveys.text.ts'

/** What customers answered after closings, and how they are asked. */
export default function SurveyScreen() {
  const t = useSurveyText()
  const title = useSurveyMenuText()('survey')
  const mayChange = useMay('administration')
  const [isSetting, setSetting] = useState(false)
  return (
    <Page
      title={title}
      actions={
        mayChange && (
          <Button leftSection={<IconSettings size={16} aria-hidden />} onClick={() => setSetting(true)}>
            {t('settings')}
          </Button>
        )
      }
    >
      <AnswersGiven />
      {isSetting && <SurveyDialog onClose={() => setSetting(false)} />}
    </Page>
  )
}
