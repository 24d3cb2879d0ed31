import type { UseFormReturnType } from '@mantine/form'
import { useRef } from 'react'
import { notify } from '../../platform/notify.tsx'
import { lookUpWhatsApp } from '../leads/leads.api.ts'
import { useNoticeText } from './billingNotices.text.ts'
import type { BillingContactValues } from './contact.dialog.tsx'

/** Fewer characters are no number. */
const LEAST = 3

/**
 * Looks up whether a number has WhatsApp, once per written number; replaces it by the number as WhatsApp
 * writes it. Shows nothing if the lookup is unavailable.
 */
export function useNumberCheck(form: UseFormReturnType<BillingContactValues>) {
  const t = useNoticeText()
  const asked = useRef(form.values.whatsapp)
  return async (written: string) => {
    form.validateField('whatsapp')
    const digits = written.replace(/\D/g, '')
    if (digits.length < LEAST || digits === asked.current) return
    asked.current = digits
    const found = await lookUpWhatsApp(digits)
    if (!found || form.getValues().whatsapp.replace(/\D/g, '') !== digits) return
    form.setFieldValue('whatsappVAlidatedNumber', found.exists ? 'valido' : 'invalido')
    if (!found.exists) return
    asked.current = found.number
    form.setFieldValue('whatsapp', found.number)
    notify.done(t('hasWhatsApp'))
  }
}
