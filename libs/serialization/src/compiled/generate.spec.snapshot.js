'use strict';
function $text_1(value) {
  const $id = value.id;
  const opening = typeof $id === 'string' ? "{\"id\":" + $quote($id) : typeof $id === 'number' ? "{\"id\":" + ($id - $id === 0 ? $id : null) : $id instanceof $Date ? "{\"id\":" + $isoDate($id.valueOf()) : $text_of_id(value, $id);
  let text = opening;
  const $items = value.items;
  text += typeof $items === 'object' && $items !== null ? ",\"lines\":" + ($isArray($items) ? $Line.list($items) : $Line.text($items)) : $text_of_items(value, $items);
  let $key = value.key;
  const $key_first = typeof $key === 'function' ? $called(value, "key") : $key;
  $key = $transform_key({ value: $key });
  if (value.key === $key) $key = $key_first;
  text += $key_first instanceof $Map ? $text_of_key(value, $key, $key_first) : typeof $key === 'string' ? ",\"key\":" + $quote($key) : typeof $key === 'number' ? ",\"key\":" + ($key - $key === 0 ? $key : null) : $key instanceof $Date ? ",\"key\":" + $isoDate($key.valueOf()) : $text_of_key(value, $key, $key_first);
  let $copy = value.copy;
  const $copy_first = typeof $copy === 'function' ? $called(value, "copy") : $copy;
  $copy = $transform_copy({ value: $copy, key: "copy", obj: value, type: 1, options: $options });
  if (value.copy === $copy) $copy = $copy_first;
  text += $copy_first instanceof $Map ? $text_of_copy(value, $copy, $copy_first) : typeof $copy === 'string' ? ",\"copy\":" + $quote($copy) : typeof $copy === 'number' ? ",\"copy\":" + ($copy - $copy === 0 ? $copy : null) : $copy instanceof $Date ? ",\"copy\":" + $isoDate($copy.valueOf()) : $text_of_copy(value, $copy, $copy_first);
  text += $text_of_total(value);
  return opening === '' ? '{' + text.slice(1) + '}' : text + '}';
}
function $text(value) {
  if ($prototypeOf(value) !== $prototype && $prototypeOf(value) !== $plainPrototype && $prototypeOf(value) !== null || typeof value.then === 'function') return $otherwise.text(value);
  const keys = $ownKeys(value);
  if (keys.length === 5 && keys[0] === "id" && keys[1] === "items" && keys[2] === "key" && keys[3] === "copy" && keys[4] === "password") return $text_1(value);
  return $otherwise.text(value);
}
function $list(list) {
  if ($prototypeOf(list) !== $listPrototype) return $values.listText(list, $writer);
  const { length } = list;
  let written = '';
  for (let at = 0; at < length; at++) {
    const one = list[at];
    if (one === undefined && !(at in list)) continue;
    written += written === '' ? '[' : ',';
    written += typeof one === 'object' && one !== null && !$isArray(one) ? $text(one) : $values.item(one, $writer);
  }
  return written === '' ? '[]' : written + ']';
}
function $many(list) {
  if ($prototypeOf(list) !== $listPrototype) return $values.listText(list);
  const { length } = list;
  let written = '';
  for (let at = 0; at < length; at++) {
    const one = list[at];
    if (one === undefined && !(at in list)) continue;
    written += written === '' ? '[' : ',';
    written += typeof one === 'object' && one !== null && one.constructor === $Order && !$isArray(one) ? $text(one) : $values.item(one);
  }
  return written === '' ? '[]' : written + ']';
}
function $plain_1(value) {
  const plain = {};
  const $id_2 = value.id;
  plain.id = typeof $id_2 === 'object' || typeof $id_2 === 'function' ? $plain_of_id(value, $id_2) : $id_2;
  const $items_2 = value.items;
  plain.lines = typeof $items_2 === 'object' || typeof $items_2 === 'function' ? $plain_of_items(value, $items_2) : $items_2;
  let $key_2 = value.key;
  const $key_first_2 = typeof $key_2 === 'function' ? $called(value, "key") : $key_2;
  $key_2 = $transform_key({ value: $key_2 });
  if (value.key === $key_2) $key_2 = $key_first_2;
  plain.key = typeof $key_2 === 'object' || typeof $key_2 === 'function' ? $plain_of_key(value, $key_2, $key_first_2) : $key_2;
  let $copy_2 = value.copy;
  const $copy_first_2 = typeof $copy_2 === 'function' ? $called(value, "copy") : $copy_2;
  $copy_2 = $transform_copy({ value: $copy_2, key: "copy", obj: value, type: 1, options: $options });
  if (value.copy === $copy_2) $copy_2 = $copy_first_2;
  plain.copy = typeof $copy_2 === 'object' || typeof $copy_2 === 'function' ? $plain_of_copy(value, $copy_2, $copy_first_2) : $copy_2;
  plain.total = $plain_of_total(value);
  return plain;
}
function $plain(value) {
  if ($prototypeOf(value) !== $prototype && $prototypeOf(value) !== $plainPrototype && $prototypeOf(value) !== null || typeof value.then === 'function') return $otherwise.plain(value);
  const keys = $ownKeys(value);
  if (keys.length === 5 && keys[0] === "id" && keys[1] === "items" && keys[2] === "key" && keys[3] === "copy" && keys[4] === "password") return $plain_1(value);
  return $otherwise.plain(value);
}
return { text: $text, list: $list, many: $many, plain: $plain };

'use strict';
function $text_1(value) {
  const $sku = value.sku;
  const opening = typeof $sku === 'string' ? "{\"sku\":" + $quote($sku) : typeof $sku === 'number' ? "{\"sku\":" + ($sku - $sku === 0 ? $sku : null) : $sku instanceof $Date ? "{\"sku\":" + $isoDate($sku.valueOf()) : $text_of_sku(value, $sku);
  let text = opening;
  return opening === '' ? '{' + text.slice(1) + '}' : text + '}';
}
function $text(value) {
  if ($prototypeOf(value) !== $prototype && $prototypeOf(value) !== $plainPrototype && $prototypeOf(value) !== null || typeof value.then === 'function') return $otherwise.text(value);
  return $text_1(value);
}
function $list(list) {
  if ($prototypeOf(list) !== $listPrototype) return $values.listText(list, $writer);
  const { length } = list;
  let written = '';
  for (let at = 0; at < length; at++) {
    const one = list[at];
    if (one === undefined && !(at in list)) continue;
    written += written === '' ? '[' : ',';
    written += typeof one === 'object' && one !== null && !$isArray(one) ? $text(one) : $values.item(one, $writer);
  }
  return written === '' ? '[]' : written + ']';
}
function $many(list) {
  if ($prototypeOf(list) !== $listPrototype) return $values.listText(list);
  const { length } = list;
  let written = '';
  for (let at = 0; at < length; at++) {
    const one = list[at];
    if (one === undefined && !(at in list)) continue;
    written += written === '' ? '[' : ',';
    written += typeof one === 'object' && one !== null && one.constructor === $Line && !$isArray(one) ? $text(one) : $values.item(one);
  }
  return written === '' ? '[]' : written + ']';
}
function $plain_1(value) {
  const plain = {};
  const $sku_2 = value.sku;
  plain.sku = typeof $sku_2 === 'object' || typeof $sku_2 === 'function' ? $plain_of_sku(value, $sku_2) : $sku_2;
  return plain;
}
function $plain(value) {
  if ($prototypeOf(value) !== $prototype && $prototypeOf(value) !== $plainPrototype && $prototypeOf(value) !== null || typeof value.then === 'function') return $otherwise.plain(value);
  return $plain_1(value);
}
return { text: $text, list: $list, many: $many, plain: $plain };
