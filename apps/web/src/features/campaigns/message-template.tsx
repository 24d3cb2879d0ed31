import type { CampaignTemplate } from '@balcao/contract/campaignShapes.ts'
import { templateText } from '@balcao/contract/campaigns.words.rules.ts'
import { Button } from '@mantine/core'
import { IconTemplate, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { oneSetup } from '../campaignSetups/campaignSetups.api.ts'
import { useCreatorText } from './campaigns.creator.text.ts'
import classes from './campaigns.module.css'
import { CampaignTemplateDialog } from './template.dialog.tsx'

/** The connection whose templates are offered; null where the setup sends over none of the official API. */
export function useOfficialConnection(setupId: string): number | null {
  const { data: setup } = useQuery({ ...oneSetup(setupId), enabled: setupId !== '' })
  return setup?.whatsapps.find(({ lib }) => lib === 'cloud')?.id ?? null
}

interface Props {
  template: CampaignTemplate | null
  number: number
  officialLine: number | null
  hasFile: boolean
  onChange(template: CampaignTemplate | null): void
}

/** The template sent over the official API to recipients who have not written within a day. */
export function MessageTemplate({ template, number, officialLine, hasFile, onChange }: Props) {
  const t = useCreatorText()
  const [isOpen, setOpen] = useState(false)
  return (
    <fieldset className={classes.template} aria-label={t('templateOf', { number })}>
      <p className={classes.hint}>{t('templateHint')}</p>
      {template && (
        <p className={classes.bubble} data-campaign-template>
          <strong>{template.name}</strong> {template.language}
          {template.text && `\n${templateText(template.text, template.variables)}`}
        </p>
      )}
      <div className={classes.file}>
        {officialLine !== null && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTemplate size={14} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t(template ? 'otherTemplate' : 'chooseTemplate')}
          </Button>
        )}
        {template && (
          <IconButton label={t('removeTemplate', { name: template.name })} onClick={() => onChange(null)}>
            <IconX size={16} stroke={1.75} />
          </IconButton>
        )}
      </div>
      {isOpen && officialLine !== null && (
        <CampaignTemplateDialog
          whatsappId={officialLine}
          hasFile={hasFile}
          onTake={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </fieldset>
  )
}
