/** Of the companies whose lives are walked. */
export const ZONE = 'America/Sao_Paulo'
