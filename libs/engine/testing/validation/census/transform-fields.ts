import { Exclude, Expose, Transform, type TransformFnParams, Type } from 'class-transformer';
import * as v from 'class-validator';
import { field, type Field } from './field';

const asText = (change: (text: string) => unknown) =>
  Transform(({ value }: TransformFnParams): unknown => (typeof value === 'string' ? change(value) : value));

/** Trims a text. Many programs place it above the field that it trims. */
const Trim = () => asText((text) => text.trim());

const ToNumber = () => Transform(({ value }: TransformFnParams) => Number(value));

const ToBoolean = () =>
  Transform(({ obj, key }: TransformFnParams) => {
    const sent = (obj as Record<string, unknown>)[key];
    return sent === 'true' || sent === true || sent === '1';
  });

/** Fields with a custom `@Transform`. Some throw at unexpected values, as in real programs. */
export const TRANSFORM_FIELDS: readonly Field[] = [
  field('username', String, [v.IsString(), Trim(), v.MinLength(3)], [' ann ', 'bob']),
  field(
    'login',
    String,
    [Transform(({ value }: TransformFnParams) => (value as string)?.toLowerCase?.()), v.IsEmail()],
    ['Ann@Example.org'],
  ),
  field('email', String, [v.IsEmail(), asText((text) => text.trim().toLowerCase())], [' Ann@example.org ']),
  field('page', Number, [ToNumber(), v.IsInt(), v.Min(1)], ['1', 2]),
  field(
    'limit',
    Number,
    [
      v.IsOptional(),
      Transform(({ value }: TransformFnParams) => Number.parseInt(value as string, 10)),
      v.IsInt(),
    ],
    ['10', '20'],
  ),
  field('size', Number, [v.IsOptional(), Type(() => Number), v.IsInt(), v.Max(100)], ['10', 20, undefined]),
  field(
    'ids',
    Array,
    [asText((text) => text.split(',').map(Number)), v.IsInt({ each: true }), v.IsArray()],
    ['1,2,3'],
  ),
  field('labels', Array, [asText((text) => text.split(',')), v.IsString({ each: true })], ['a,b', ['a']]),
  field('isOpen', Boolean, [ToBoolean(), v.IsBoolean()], ['true', 'false', true]),
  field('isPublic', Boolean, [v.IsOptional(), v.IsBoolean(), Type(() => Boolean)], [true, 'x', undefined]),
  field('code', String, [asText((text) => text.toUpperCase()), v.Length(2, 4)], ['ab']),
  field('filter', Object, [asText((text) => JSON.parse(text) as unknown), v.IsObject()], ['{"a":1}']),
  field(
    'when',
    Date,
    [Transform(({ value }: TransformFnParams) => new Date(value as string)), v.IsDate()],
    ['2026-01-01'],
  ),
  field(
    'sort',
    String,
    [Transform(({ value }: TransformFnParams): unknown => value ?? 'id'), v.IsString()],
    ['name', null],
  ),
  field('total', Number, [Type(() => Number), v.IsNumber(), v.Min(0)], ['1.5', 2]),
  field('amounts', Array, [Type(() => Number), v.IsNumber({}, { each: true })], [['1', 2], [3]]),
  field('title', String, [v.IsString(), Trim(), asText((text) => text.replace(/\s+/g, ' '))], ['a  b']),
  field(
    'secret',
    String,
    [v.IsString(), Transform(({ value }: TransformFnParams): unknown => value, { toPlainOnly: true })],
    ['x'],
  ),
  field(
    'list',
    Array,
    [
      Transform(({ value }: TransformFnParams): unknown => (Array.isArray(value) ? value : [value])),
      v.IsString({ each: true }),
    ],
    ['a', ['b']],
  ),
];

/** The fields that declare when they are exposed. */
export const EXPOSED_FIELDS: readonly Field[] = [
  field('id', Number, [Expose(), v.IsInt()], [1]),
  field('firstName', String, [Expose({ name: 'first_name' }), v.IsString()], ['Ann']),
  field('hash', String, [Exclude(), v.IsOptional(), v.IsString()], ['x']),
  field('internal', String, [Exclude({ toPlainOnly: true }), v.IsString()], ['x']),
  field('hidden', String, [Exclude({ toClassOnly: true }), v.IsOptional()], ['x']),
  field('adminNote', String, [Expose({ groups: ['admin'] }), v.IsOptional(), v.IsString()], ['x']),
  field('since', String, [Expose({ since: 2 }), v.IsOptional()], ['x']),
  field('shown', String, [Expose(), v.IsString(), v.MaxLength(20)], ['abc']),
  field('plainOnly', String, [Expose({ toPlainOnly: true }), v.IsString()], ['abc']),
];
